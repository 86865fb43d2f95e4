import HeadingPipeline
import Testing

@Suite("Sample gate")
struct SampleGateTests {
    static func sample(_ x: Double, _ y: Double, _ z: Double, saturated: Bool = false) -> SensorSample {
        SensorSample(source: .magnetometer, vector: Vector3(x, y, z), isSaturated: saturated)
    }
    static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

    @Test("refuses what no working sensor gives")
    func refuses() {
        var gate = SampleGate()
        do {
            let verdict = gate.examine(Self.sample(.nan, 1, 1), rotation: nil, at: Self.at(0))
            #expect(verdict == .notFinite)
        }
        do {
            let verdict = gate.examine(Self.sample(0, 0, 0), rotation: nil, at: Self.at(0))
            #expect(verdict == .zeroField)
        }
        do {
            let verdict = gate.examine(Self.sample(0, 0, 1), rotation: nil, at: Self.at(0))
            #expect(verdict == nil)
        }
    }

    @Test("five saturated samples in a row are an overloaded sensor, four are not")
    func saturation() {
        var gate = SampleGate()
        for count in 1...5 {
            let sample = Self.sample(3276.7, 0, 0, saturated: true)
            do {
                let verdict = gate.examine(sample, rotation: nil, at: Self.at(0))
                #expect(verdict == .saturated)
            }
            #expect(gate.isSaturated == (count == 5))
        }
        _ = gate.examine(Self.sample(20, 0, 40), rotation: nil, at: Self.at(1))
        #expect(!gate.isSaturated)
    }

    @Test("a triple that stands still for 10 s while the gyroscope turns is frozen; at rest it is not")
    func frozen() {
        var turning = SampleGate()
        var resting = SampleGate()
        for tenth in 0...120 {
            let now = Self.at(Double(tenth) / 10)
            let sample = Self.sample(20, 1, 40)
            let verdict = turning.examine(sample, rotation: .degreesPerSecond(5), at: now)
            // The second sample is the first that repeats.
            #expect(verdict == (tenth >= 101 ? .frozen : nil))
            do {
                let verdict = resting.examine(sample, rotation: .degreesPerSecond(0.1), at: now)
                #expect(verdict == nil)
            }
        }
        do {
            let verdict = turning.examine(
                Self.sample(20, 2, 40), rotation: .degreesPerSecond(5), at: Self.at(13))
            #expect(verdict == nil)
        }
    }
}
