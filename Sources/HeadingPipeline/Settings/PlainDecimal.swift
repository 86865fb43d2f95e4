/// Numbers as the config file writes them: digits, a point, a sign; no exponent, no hexadecimal, no infinity,
/// whatever the locale.
enum PlainDecimal {
    static func number(_ text: String) throws(ValueFault) -> Double {
        guard let value = plainNumber(text) else {
            let isCommaForPoint = plainNumber(String(text.map { $0 == "," ? "." : $0 })) != nil
            throw ValueFault(
                isCommaForPoint
                    ? "is not a number: the decimal sign is a point" : "is not a plain number such as 12.5")
        }
        return value
    }

    static func wholeNumber(_ text: String) throws(ValueFault) -> Int {
        let value = try number(text)
        guard value == value.rounded(), abs(value) < 1e15 else { throw ValueFault("is not a whole number") }
        return Int(value)
    }

    private static func plainNumber(_ text: String) -> Double? {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let digits = rest.filter { $0 != UInt8(ascii: ".") }
        guard !digits.isEmpty, rest.count - digits.count <= 1,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Double(text)
    }

    /// Nine decimals without the zeros at their end: a degree that went through radians comes back as the
    /// decimal it was.
    static func text(_ value: Double) -> String {
        var text = decimalText(value, places: 9)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
