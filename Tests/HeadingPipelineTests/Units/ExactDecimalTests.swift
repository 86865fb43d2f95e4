import HeadingPipeline
import Testing

/// Against the standard library's conversions, which are another implementation.
@Suite("Numbers as exact text")
struct ExactDecimalTests {
    private func written(_ value: Double) -> String {
        var bytes: [UInt8] = []
        bytes.appendExact(value)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func read(_ text: String) -> Double? {
        Array(text.utf8).withUnsafeBytes { Double(exactText: $0) }
    }

    private func check(_ value: Double, _ note: Comment) {
        let text = written(value)
        let matches =
            Double(text)?.bitPattern == value.bitPattern && read(text)?.bitPattern == value.bitPattern
        #expect(matches, "\(value) is written \(text), \(note)")
        #expect(read(value.description)?.bitPattern == value.bitPattern, "\(value.description), \(note)")
    }

    @Test("come back bit for bit, whatever the number")
    func anyNumber() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            let value = Double(bitPattern: random.next())
            if value.isFinite { check(value, "seed \(seed)") }
        }
    }

    @Test("come back bit for bit where sensors are: counts times a scale, and near powers of ten")
    func sensors() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            let count = Double(Int16(truncatingIfNeeded: random.next()))
            check(count * 0.000_061_035_156_25 * 9.80665, "seed \(seed)")
            check(Double.random(in: -100...100, using: &random), "seed \(seed)")
        }
        var power = 1e-8
        while power < 1e20 {
            for value in [power.nextDown, power, power.nextUp, power * 9.007199254740992] {
                check(value, "near a power of ten")
                check(-value, "near a power of ten")
            }
            power *= 10
        }
    }

    @Test(
        "are as short as people write them",
        arguments: [
            (0, "0"), (-0.0, "-0"), (1, "1"), (-12.5, "-12.5"), (0.1, "0.1"), (9.80665, "9.80665"),
            (0.1 + 0.2, "0.30000000000000004"), (1e15, "1000000000000000"), (-0.000_25, "-0.00025"),
            (.nan, "nan"), (.infinity, "inf"), (-.infinity, "-inf"), (.leastNonzeroMagnitude, "5e-324"),
        ] as [(Double, String)])
    func short(value: Double, text: String) {
        #expect(written(value) == text)
        #expect(read(text) == value || value.isNaN && read(text)?.isNaN == true)
    }

    /// 2^53 is 9007199254740992; from there on only even numbers are there.
    @Test(
        "are rounded to the nearest, halves to even",
        arguments: [
            ("9007199254740993", 9_007_199_254_740_992), ("9007199254740995", 9_007_199_254_740_996),
            ("9007199254740993.001", 9_007_199_254_740_994), ("1e5", 100_000), ("1.5e-3", 0.0015),
            ("0.1000000000000000055511151231257827021181583404541015625", 0.1), ("007", 7),
        ] as [(String, Double)])
    func rounding(text: String, value: Double) { #expect(read(text) == value) }

    @Test(
        "are refused where they are no plain decimals",
        arguments: [
            "", "-", ".", "1.", ".5", "+1", "--1", "0x1p3", "1e", "1e+", "e5", "1E5", " 1", "1 ", "1,5",
            "1.2.3",
            "infinity", "NaN", "-NaN", "1_000", "1e5.5", "١",
        ])
    func refused(text: String) { #expect(read(text) == nil) }
}
