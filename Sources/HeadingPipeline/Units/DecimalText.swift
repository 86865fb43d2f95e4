/// Numbers as text: fixed decimals, a point, no exponent, the same bytes in every locale.
extension [UInt8] {
    /// Appends `value` with exactly `places` decimals (0...9), halves away from zero, and never `-0`.
    ///
    /// What has no such text (not finite, or too large for 18 digits) is appended as `null`.
    package mutating func appendDecimal(_ value: Double, places: Int) {
        let scale = powersOfTen[Swift.max(0, Swift.min(9, places))]
        let scaled = (value * Double(scale)).rounded(.toNearestOrAwayFromZero)
        guard abs(scaled) < 1e18 else {
            append(contentsOf: [0x6e, 0x75, 0x6c, 0x6c])
            return
        }
        let digits = Int64(scaled)
        if digits < 0 { append(0x2d) }
        let magnitude = digits.magnitude
        appendInteger(magnitude / scale)
        guard scale > 1 else { return }
        append(0x2e)
        var rest = magnitude % scale
        var unit = scale / 10
        while unit > 0 {
            append(0x30 + UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
    }

    package mutating func appendInteger(_ value: UInt64) {
        var unit: UInt64 = 1
        while value / unit >= 10 { unit *= 10 }
        var rest = value
        while unit > 0 {
            append(0x30 + UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
    }

    /// Appends a whole number with leading zeros.
    package mutating func appendInteger(_ value: Int, digits: Int) {
        var unit = 1
        for _ in 1..<Swift.max(1, digits) { unit *= 10 }
        var rest = Swift.max(0, value) % (unit * 10)
        while unit > 0 {
            append(0x30 + UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
    }

    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}

private let powersOfTen: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
]

/// `value` with exactly `places` decimals, for people and for JSON alike.
package func decimalText(_ value: Double, places: Int) -> String {
    var bytes: [UInt8] = []
    bytes.appendDecimal(value, places: places)
    return String(decoding: bytes, as: UTF8.self)
}
