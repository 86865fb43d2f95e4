/// The fields of one line of a recording, taken from left to right. Whatever the bytes are, it looks at nothing
/// outside of them.
struct RecordingFields {
    private let line: UnsafeRawBufferPointer
    private var position = 0

    init(_ line: UnsafeRawBufferPointer) { self.line = line }

    private var isAtEnd: Bool { position >= line.count }

    /// Every field has been taken.
    func finish() throws(RecordingFault) {
        guard isAtEnd else { throw .surplus }
    }

    // MARK: Fields by their place

    /// The next word, cut off where it is longer than any that means something. Up to 15 bytes are held without
    /// allocating.
    mutating func word() -> String { String(decoding: token().prefix(24), as: UTF8.self) }

    mutating func integer() throws(RecordingFault) -> Int64 {
        let digits = token()
        let isNegative = digits.first == 0x2d
        guard let value = wholeNumber(isNegative ? digits.dropFirst() : digits[...], isNegative) else {
            throw .number
        }
        return value
    }

    mutating func number() throws(RecordingFault) -> Double {
        guard let value = Double(exactText: token()) else { throw .number }
        return value
    }

    mutating func vector() throws(RecordingFault) -> Vector3 {
        Vector3(try number(), try number(), try number())
    }

    mutating func source() throws(RecordingFault) -> Source {
        guard let source = Source(recorded: word()) else { throw .unknownSource }
        return source
    }

    /// A text in quotes.
    mutating func text() throws(RecordingFault) -> String {
        guard let text = String(validating: try bytes(), as: UTF8.self) else { throw .text }
        return text
    }

    /// Whatever stands in quotes.
    mutating func bytes() throws(RecordingFault) -> [UInt8] {
        skipBlank()
        guard !isAtEnd, line[position] == .quote else { throw .text }
        position += 1
        let start = position
        while !isAtEnd, line[position] != .quote { position += line[position] == .backslash ? 2 : 1 }
        guard !isAtEnd, let plain = unescaped(line[start..<position]) else { throw .text }
        position += 1
        return plain
    }

    /// Whether `word` comes next; then it is taken.
    mutating func skip(_ word: StaticString) -> Bool {
        var next = self
        guard next.token().elementsEqual(UnsafeRawBufferPointer(word)) else { return false }
        self = next
        return true
    }

    // MARK: Fields by their name; those that are absent are `nil`

    mutating func integer(_ name: StaticString) throws(RecordingFault) -> Int64? {
        guard skipName(name) else { return nil }
        return try integer()
    }

    mutating func number(_ name: StaticString) throws(RecordingFault) -> Double? {
        guard skipName(name) else { return nil }
        return try number()
    }

    /// A sensor may give any number and the pipeline refuses it; of a fix or a description the sources let none
    /// through that is not finite.
    mutating func finite(_ name: StaticString) throws(RecordingFault) -> Double? {
        guard let value = try number(name) else { return nil }
        guard value.isFinite else { throw .number }
        return value
    }

    mutating func text(_ name: StaticString) throws(RecordingFault) -> String? {
        guard skipName(name) else { return nil }
        return try text()
    }

    mutating func matrix(_ name: StaticString) throws(RecordingFault) -> Matrix3? {
        guard skipName(name) else { return nil }
        return Matrix3(try vector(), try vector(), try vector())
    }

    private mutating func skipName(_ name: StaticString) -> Bool {
        let end = position + 1 + name.utf8CodeUnitCount
        guard end < line.count, line[position] == .blank, line[end] == .equals,
            UnsafeRawBufferPointer(rebasing: line[position + 1..<end])
                .elementsEqual(UnsafeRawBufferPointer(name))
        else { return false }
        position = end + 1
        return true
    }

    // MARK: Bytes

    /// One blank stands between two fields, and none before the first.
    private mutating func skipBlank() {
        if position > 0, !isAtEnd, line[position] == .blank { position += 1 }
    }

    /// Up to the next blank or the end.
    private mutating func token() -> UnsafeRawBufferPointer {
        skipBlank()
        let start = position
        while !isAtEnd, line[position] != .blank { position += 1 }
        return UnsafeRawBufferPointer(rebasing: line[start..<position])
    }

    private func wholeNumber(_ digits: Slice<UnsafeRawBufferPointer>, _ isNegative: Bool) -> Int64? {
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (tenfold, isOver) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(byte - 0x30)
            let (next, isBeyond) = tenfold.addingReportingOverflow(isNegative ? -digit : digit)
            guard !isOver, !isBeyond else { return nil }
            value = next
        }
        return value
    }

    private func unescaped(_ text: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        var plain: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == .backslash else {
                plain.append(byte)
                continue
            }
            guard let escape = rest.popFirst() else { return nil }
            switch escape {
            case .quote, .backslash: plain.append(escape)
            case UInt8(ascii: "x"):
                guard let high = rest.popFirst().flatMap(hexValue),
                    let low = rest.popFirst().flatMap(hexValue)
                else { return nil }
                plain.append(high << 4 | low)
            default: return nil
            }
        }
        return plain
    }

    private func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

extension UInt8 {
    static let blank = UInt8(ascii: " ")
}

extension UnsafeRawBufferPointer {
    fileprivate init(_ text: StaticString) {
        self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}

extension Source {
    /// Its name in a recording.
    var recorded: StaticString {
        switch self {
        case .magnetometer: "mag"
        case .accelerometer: "acc"
        case .gyroscope: "gyr"
        case .gps: "gps"
        }
    }

    init?(recorded word: String) {
        switch word {
        case "mag": self = .magnetometer
        case "acc": self = .accelerometer
        case "gyr": self = .gyroscope
        case "gps": self = .gps
        default: return nil
        }
    }
}

extension Settings.Reference {
    /// The word for it in a recording.
    var recorded: StaticString {
        switch self {
        case .trueNorth: "true_north"
        case .magnetic: "magnetic_north"
        }
    }
}
