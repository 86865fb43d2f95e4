/// Writes one JSON object after another into the same storage: the hot path allocates nothing.
package struct PayloadWriter {
    package private(set) var bytes: [UInt8] = []
    private var isFirst = true

    package init() { bytes.reserveCapacity(512) }

    package mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        open()
    }

    package mutating func end() { bytes.append(0x7d) }

    private mutating func open() {
        bytes.append(0x7b)
        isFirst = true
    }

    /// A text that is not JSON: a status.
    package mutating func plain(_ text: StaticString) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(text)
    }

    /// `places` decimals; `nil` and what is not finite is `null`.
    package mutating func number(_ name: StaticString, _ value: Double?, places: Int) {
        key(name)
        if let value { bytes.appendDecimal(value, places: places) } else { bytes.append("null") }
    }

    /// An array of numbers.
    package mutating func numbers(_ name: StaticString, _ values: [Double], places: Int) {
        key(name)
        numbers(values, places: places)
    }

    /// A matrix: an array of its rows.
    package mutating func matrix(_ name: StaticString, _ matrix: Matrix3, places: Int) {
        key(name)
        list([matrix.rowX, matrix.rowY, matrix.rowZ]) { $0.numbers([$1.x, $1.y, $1.z], places: places) }
    }

    private mutating func numbers(_ values: [Double], places: Int) {
        list(values) { $0.bytes.appendDecimal($1, places: places) }
    }

    package mutating func number(_ name: StaticString, _ value: Int?) {
        number(name, value.map(Double.init), places: 0)
    }

    /// A word that needs no escaping.
    package mutating func word(_ name: StaticString, _ value: StaticString) {
        key(name)
        bytes.append(0x22)
        bytes.append(value)
        bytes.append(0x22)
    }

    /// For text from outside: escaped.
    package mutating func text(_ name: StaticString, _ value: String?) {
        key(name)
        quoted(value)
    }

    /// An array of texts.
    package mutating func texts(_ name: StaticString, _ values: [String]) {
        key(name)
        list(values) { $0.quoted($1) }
    }

    /// An array of objects.
    package mutating func objects<Item>(
        _ name: StaticString, _ items: [Item], _ members: (inout PayloadWriter, Item) -> Void
    ) {
        key(name)
        list(items) { writer, item in
            writer.open()
            members(&writer, item)
            writer.end()
        }
        isFirst = false
    }

    private mutating func list<Item>(_ items: [Item], _ write: (inout PayloadWriter, Item) -> Void) {
        bytes.append(0x5b)
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(0x2c) }
            write(&self, item)
        }
        bytes.append(0x5d)
    }

    package mutating func flag(_ name: StaticString, _ value: Bool) {
        key(name)
        bytes.append(value ? "true" : "false")
    }

    package mutating func null(_ name: StaticString) {
        key(name)
        bytes.append("null")
    }

    package mutating func time(_ name: StaticString, _ value: UTCTime?) {
        key(name)
        guard let value else {
            bytes.append("null")
            return
        }
        bytes.append(0x22)
        bytes.appendRFC3339(value)
        bytes.append(0x22)
    }

    /// An object inside the object.
    package mutating func object(_ name: String, _ members: (inout PayloadWriter) -> Void) {
        separate()
        quoted(name)
        bytes.append(0x3a)
        open()
        members(&self)
        end()
        isFirst = false
    }

    /// A member whose name is known only at run time.
    package mutating func number(named name: String, _ value: Int) {
        separate()
        quoted(name)
        bytes.append(0x3a)
        bytes.appendDecimal(Double(value), places: 0)
    }

    private mutating func key(_ name: StaticString) {
        separate()
        bytes.append(0x22)
        bytes.append(name)
        bytes.append(0x22)
        bytes.append(0x3a)
    }

    private mutating func separate() {
        if !isFirst { bytes.append(0x2c) }
        isFirst = false
    }

    private mutating func quoted(_ value: String?) {
        guard let value else {
            bytes.append("null")
            return
        }
        bytes.appendJSONString(value)
    }
}

extension [UInt8] {
    /// Text as a JSON string in quotes (RFC 8259, section 7).
    package mutating func appendJSONString(_ text: String) {
        append(0x22)
        for byte in text.utf8 { appendEscaped(byte) }
        append(0x22)
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5c:
            append(0x5c)
            append(byte)
        case 0..<0x20, 0x7f:
            append("\\u00")
            append(hexDigit(byte >> 4))
            append(hexDigit(byte & 15))
        default: append(byte)
        }
    }

    private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
