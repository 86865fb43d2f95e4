/// A finite number from 0 on as a decimal that stands for it and for no other: `digits` with a point before the
/// last `places` of them. Only what needs no exponent; everything is computed without rounding but the last step.
struct ExactDecimal: Hashable {
    var digits: UInt64
    /// 0...22: the powers of ten that a `Double` holds exactly.
    var places: Int

    static let mostPlaces = 22
    /// Whole numbers up to here are `Double`s.
    private static let wholeNumbers = 9_007_199_254_740_992.0

    init(digits: UInt64, places: Int) {
        self.digits = digits
        self.places = places
    }

    /// The one with the fewest places; `nil` for what is too small or too large to be written without an exponent.
    init?(_ magnitude: Double) {
        for places in 0...Self.mostPlaces {
            let scaled = magnitude * powersOfTen[places]
            guard scaled < Self.wholeNumbers else {
                self.init(rounding: magnitude, places: places)
                return
            }
            let digits = scaled.rounded()
            // Both are exact, so the quotient is what the decimal is read as.
            if digits / powersOfTen[places] == magnitude {
                self.init(digits: UInt64(digits), places: places)
                return
            }
        }
        return nil
    }

    /// The nearest decimal with so many places, where it is read as the number.
    private init?(rounding magnitude: Double, places: Int) {
        let exponent = Int(magnitude.exponent) - 52
        // From 2^53 on every number is whole, and beyond 2^63 has more digits than are kept.
        guard magnitude < 0x1p+63, exponent < 0 || places == 0 else { return nil }
        guard exponent < 0 else {
            self.init(digits: UInt64(magnitude), places: 0)
            return
        }
        let product = UInt128(magnitude.significandBitPattern | 1 << 52) * widePowersOfTen[places]
        let half = UInt128(1) << UInt128(-exponent - 1)
        self.init(digits: UInt64((product + half) >> UInt128(-exponent)), places: places)
        guard value == magnitude else { return nil }
    }

    /// The `Double` next to the decimal, halves to even.
    var value: Double {
        if digits <= UInt64(Self.wholeNumbers) { return Double(digits) / powersOfTen[places] }
        let shift = 64 + digits.leadingZeroBitCount
        let (quotient, remainder) = (UInt128(digits) << UInt128(shift))
            .quotientAndRemainder(dividingBy: widePowersOfTen[places])
        // 55 bits and one that stands for all below them round like the whole quotient.
        let surplus = max(0, 73 - quotient.leadingZeroBitCount)
        let kept = UInt64(quotient >> UInt128(surplus))
        let isBetween = remainder != 0 || quotient != UInt128(kept) << UInt128(surplus)
        let rounded = Double(kept << 2 | (isBetween ? 1 : 0))
        return rounded * Double(bitPattern: UInt64(1023 + surplus - shift - 2) << 52)
    }
}

private let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
]

private let widePowersOfTen: [UInt128] = {
    var powers: [UInt128] = [1]
    for place in 0..<ExactDecimal.mostPlaces { powers.append(powers[place] * 10) }
    return powers
}()

extension [UInt8] {
    /// Appends text that is read back as the same number, bit for bit: `12.5`, `-0`, `5e-324`, `inf`. All
    /// that is not a number becomes `nan`.
    ///
    /// Allocates nothing between 1e-6 and 1e18, where all that a sensor measures lies.
    package mutating func appendExact(_ value: Double) {
        guard value.isFinite else {
            append(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
            return
        }
        if value.sign == .minus { append(0x2d) }
        if let decimal = ExactDecimal(value.magnitude) {
            append(decimal)
        } else {
            append(contentsOf: value.magnitude.description.utf8)
        }
    }

    package mutating func appendExact(_ value: Int64) {
        if value < 0 { append(0x2d) }
        appendInteger(value.magnitude)
    }

    private mutating func append(_ decimal: ExactDecimal) {
        let start = count
        var rest = decimal.digits
        var written = 0
        repeat {
            if written == decimal.places, written > 0 { append(0x2e) }
            append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            written += 1
        } while rest > 0 || written <= decimal.places
        reverse(from: start)
    }

    /// Turns round what stands from `start` on. A slice would be copied.
    private mutating func reverse(from start: Int) {
        var (low, high) = (start, count - 1)
        while low < high {
            swapAt(low, high)
            low += 1
            high -= 1
        }
    }
}

extension Double {
    /// Reads what ``appendExact(_:)-(Double)`` writes, and any other plain decimal with or without an exponent:
    /// digits, a point with digits behind it, `e`. `nil` for everything else: no blanks, no `+`, no hexadecimal.
    package init?(exactText text: UnsafeRawBufferPointer) {
        let isNegative = text.first == 0x2d
        let magnitude = UnsafeRawBufferPointer(rebasing: isNegative ? text.dropFirst() : text[...])
        guard let value = Self.magnitude(magnitude) else { return nil }
        self = isNegative ? -value : value
    }

    private static func magnitude(_ text: UnsafeRawBufferPointer) -> Double? {
        var digits: UInt64 = 0
        var point: Int?
        for (index, byte) in text.enumerated() {
            switch byte {
            case 0x30...0x39:
                // One more digit fits for sure.
                guard digits < 1_000_000_000_000_000_000 else { return general(text) }
                digits = digits * 10 + UInt64(byte - 0x30)
            case 0x2e where point == nil && index > 0: point = index
            default: return general(text)
            }
        }
        let places = point.map { text.count - $0 - 1 } ?? 0
        guard !text.isEmpty, point == nil || places > 0 else { return nil }
        guard places <= ExactDecimal.mostPlaces else { return general(text) }
        return ExactDecimal(digits: digits, places: places).value
    }

    /// The rare forms, by the standard library, which knows further ones that are not wanted here.
    private static func general(_ bytes: UnsafeRawBufferPointer) -> Double? {
        let text = String(decoding: bytes, as: UTF8.self)
        switch text {
        case "nan": return .nan
        case "inf": return .infinity
        default:
            guard isPlainDecimal(bytes) else { return nil }
            return Double(text)
        }
    }

    private static func isPlainDecimal(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let parts = bytes.split(separator: 0x65, maxSplits: 1, omittingEmptySubsequences: false)
        let mantissa = parts[0].split(separator: 0x2e, maxSplits: 1, omittingEmptySubsequences: false)
        guard mantissa.allSatisfy(isDigits) else { return false }
        guard parts.count == 2 else { return true }
        let isSigned = parts[1].first == 0x2d || parts[1].first == 0x2b
        return isDigits(isSigned ? parts[1].dropFirst() : parts[1])
    }

    private static func isDigits(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x30...0x39).contains($0) }
    }
}
