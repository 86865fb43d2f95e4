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

    /// The shortest text that is read back as the same number; `value` must be finite.
    static func text(_ value: Double) -> String {
        let parts = "\(value + 0)".split(separator: "e").map(String.init)
        guard parts.count == 2, let exponent = Int(parts[1]) else {
            return parts[0].hasSuffix(".0") ? String(parts[0].dropLast(2)) : parts[0]
        }
        return withoutExponent(parts[0], exponent)
    }

    private static func withoutExponent(_ mantissa: String, _ exponent: Int) -> String {
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        let digits = mantissa.filter(\.isNumber)
        guard exponent < 0 else {
            let digits = digits.hasSuffix("0") ? String(digits.dropLast()) : digits
            return sign + digits + String(repeating: "0", count: max(0, exponent + 1 - digits.count))
        }
        let significant = mantissa.hasSuffix(".0") ? String(digits.dropLast()) : digits
        return sign + "0." + String(repeating: "0", count: -exponent - 1) + significant
    }
}
