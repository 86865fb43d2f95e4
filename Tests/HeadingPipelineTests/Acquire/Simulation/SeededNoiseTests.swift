import Testing

@testable import HeadingPipeline

@Suite("Seeded noise")
struct SeededNoiseTests {
    /// The first outputs of SplitMix64 for the seed 1234567, as its reference implementation in C gives them.
    @Test("is SplitMix64")
    func reference() {
        var noise = SeededNoise(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(expected.map { _ in noise.next() } == expected)
    }

    @Test("has mean 0, deviation 1 and the tails of a normal distribution")
    func moments() {
        var noise = SeededNoise(seed: 42)
        let values = (0..<100_000).map { _ in noise.normal() }
        let mean = values.reduce(0, +) / 100_000
        let variance = values.reduce(0) { $0 + $1 * $1 } / 100_000
        let outside = values.count { abs($0) > 1.96 }
        #expect(abs(mean) < 0.02)
        #expect(abs(variance - 1) < 0.02)
        #expect((4500...5500).contains(outside))
    }
}
