/// JSON as RFC 8259 has it, read strictly: what a test looks into.
indirect enum JSONValue: Hashable, Sendable {
    case object([String: JSONValue])
    case array([JSONValue])
    case text(String)
    case number(Double)
    case flag(Bool)
    case null

    /// `nil`: no JSON, or an object with the same member twice.
    init?(_ bytes: [UInt8]) {
        var parser = JSONParser(rest: bytes[...])
        guard let value = parser.value(), parser.isAtEnd else { return nil }
        self = value
    }

    init?(_ text: String) { self.init(Array(text.utf8)) }

    subscript(_ name: String) -> JSONValue? {
        get { members?[name] }
        set {
            guard var members else { return }
            members[name] = newValue
            self = .object(members)
        }
    }

    var members: [String: JSONValue]? {
        if case .object(let members) = self { return members }
        return nil
    }

    var elements: [JSONValue]? {
        if case .array(let elements) = self { return elements }
        return nil
    }

    var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    var number: Double? {
        if case .number(let number) = self { return number }
        return nil
    }
}

private struct JSONParser {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool { rest.allSatisfy { " \t\r\n".utf8.contains($0) } }

    private mutating func skipBlanks() { rest = rest.drop { " \t\r\n".utf8.contains($0) } }

    private mutating func take(_ text: String) -> Bool {
        skipBlanks()
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    mutating func value() -> JSONValue? {
        if take("{") { return object() }
        if take("[") { return array() }
        if take("\"") { return text().map(JSONValue.text) }
        if take("true") { return .flag(true) }
        if take("false") { return .flag(false) }
        if take("null") { return .null }
        let digits = rest.prefix { "+-.0123456789eE".utf8.contains($0) }
        rest = rest.dropFirst(digits.count)
        return Double(String(decoding: digits, as: UTF8.self)).map(JSONValue.number)
    }

    private mutating func object() -> JSONValue? {
        var members: [String: JSONValue] = [:]
        if take("}") { return .object(members) }
        repeat {
            guard take("\""), let name = text(), take(":"), let value = value(),
                members.updateValue(value, forKey: name) == nil
            else { return nil }
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func array() -> JSONValue? {
        var elements: [JSONValue] = []
        if take("]") { return .array(elements) }
        repeat {
            guard let value = value() else { return nil }
            elements.append(value)
        } while take(",")
        return take("]") ? .array(elements) : nil
    }

    /// Up to the closing quote; of the escapes only those that our writer uses.
    private mutating func text() -> String? {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                bytes.append(escaped)
            case ..<0x20: return nil
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> UInt8? {
        switch rest.popFirst() {
        case UInt8(ascii: "u"):
            let digits = String(decoding: rest.prefix(4), as: UTF8.self)
            rest = rest.dropFirst(4)
            return UInt8(digits, radix: 16)
        case UInt8(ascii: "\""): return UInt8(ascii: "\"")
        case UInt8(ascii: "\\"): return UInt8(ascii: "\\")
        default: return nil
        }
    }
}
