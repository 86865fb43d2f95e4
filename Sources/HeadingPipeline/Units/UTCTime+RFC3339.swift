extension UTCTime {
    /// Reads `2026-11-30T12:00:00.120Z`, with any number of decimals of the second or none; a leap second
    /// (`:60`) is the first moment of the next minute. `nil` for anything else.
    package init?(rfc3339 text: some StringProtocol) {
        var reader = DigitReader(text.utf8)
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2), reader.skip("T") || reader.skip("t"),
            let hour = reader.number(digits: 2), reader.skip(":"),
            let minute = reader.number(digits: 2), reader.skip(":"),
            let second = reader.number(digits: 2)
        else { return nil }
        let fraction = reader.skip(".") ? reader.nanosecondFraction() : 0
        let date = CivilDate(year: year, month: month, day: day)
        guard let fraction, reader.skip("Z") || reader.skip("z"), reader.isAtEnd,
            date.exists, (1678...2261).contains(year), hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = Int64(hour * 3600 + minute * 60 + second)
        self.init(nanoseconds: Int64(date.daysSince1970) * Self.day + seconds * 1_000_000_000 + fraction)
    }
}

private struct DigitReader<Bytes: Collection> where Bytes.Element == UInt8 {
    private var rest: Bytes.SubSequence

    init(_ bytes: Bytes) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func digit() -> Int? {
        guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
        rest = rest.dropFirst()
        return Int(first) - 0x30
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let next = digit() else { return nil }
            value = value * 10 + next
        }
        return value
    }

    mutating func nanosecondFraction() -> Int64? {
        var value: Int64 = 0
        var count = 0
        while let next = digit() {
            if count < 9 { value = value * 10 + Int64(next) }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in 0..<max(0, 9 - count) { value *= 10 }
        return value
    }
}

extension [UInt8] {
    /// Appends `2026-11-30T12:00:00.120Z`: UTC with whole milliseconds, cut off, not rounded up, so that a
    /// time stamp never lies in the future.
    package mutating func appendRFC3339(_ time: UTCTime) {
        let date = time.date
        let milliseconds = Int(time.timeOfDay / 1_000_000)
        appendInteger(date.year, digits: 4)
        append(0x2d)
        appendInteger(date.month, digits: 2)
        append(0x2d)
        appendInteger(date.day, digits: 2)
        append(0x54)
        appendInteger(milliseconds / 3_600_000, digits: 2)
        append(0x3a)
        appendInteger(milliseconds / 60_000 % 60, digits: 2)
        append(0x3a)
        appendInteger(milliseconds / 1000 % 60, digits: 2)
        append(0x2e)
        appendInteger(milliseconds % 1000, digits: 3)
        append(0x5a)
    }
}
