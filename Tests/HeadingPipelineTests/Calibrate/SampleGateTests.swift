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

    /// 10° about the vertical at 5 deg/s; a level part of √(20² + 1²) µT then has moved by 20.02 · 0.1745 = 3.5 µT.
    @Test("a triple that stands still while the gyroscope turns by 10° is frozen; at rest it is not")
    func frozen() {
        var turning = SampleGate()
        var resting = SampleGate()
        for tenth in 0...120 {
            let now = Self.at(Double(tenth) / 10)
            let sample = Self.sample(20, 1, 40)
            let verdict = turning.examine(sample, rotation: Self.yaw(5), at: now)
            if tenth <= 19 { #expect(verdict == nil) }
            if tenth >= 22 { #expect(verdict == .frozen) }
            do {
                let verdict = resting.examine(sample, rotation: Self.yaw(0.1), at: now)
                #expect(verdict == nil)
            }
        }
        do {
            let verdict = turning.examine(Self.sample(20, 2, 40), rotation: Self.yaw(5), at: Self.at(13))
            #expect(verdict == nil)
        }
    }

    private static func yaw(_ degreesPerSecond: Double) -> Vector3 {
        Vector3(0, 0, degreesPerSecond * .pi / 180)
    }

    @Test("one that was found frozen stays so when the turn ends, until it changes")
    func frozenStays() {
        var gate = SampleGate()
        for tenth in 0...40 {
            _ = gate.examine(Self.sample(20, 1, 40), rotation: Self.yaw(5), at: Self.at(Double(tenth) / 10))
        }
        do {
            let verdict = gate.examine(Self.sample(20, 1, 40), rotation: .zero, at: Self.at(30))
            #expect(verdict == .frozen)
        }
        do {
            let verdict = gate.examine(Self.sample(19, 1, 40), rotation: .zero, at: Self.at(31))
            #expect(verdict == nil)
        }
    }

    @Test("a turn about the field's own direction moves no field: that is not frozen")
    func alongTheField() {
        var gate = SampleGate()
        for tenth in 0...120 {
            let rotation = Vector3(0, 0.01, 0.4)
            let sample = Self.sample(0, 1, 40)
            let verdict = gate.examine(sample, rotation: rotation, at: Self.at(Double(tenth) / 10))
            #expect(verdict == nil)
        }
    }

    @Test("a gyroscope with coarse steps that stands still at rest passes, but is said to repeat")
    func coarseGyroscope() {
        var gate = SampleGate()
        for tenth in 0...600 {
            let sample = SensorSample(source: .gyroscope, vector: Vector3(0.001, 0, 0))
            let verdict = gate.examine(sample, rotation: nil, at: Self.at(Double(tenth) / 10))
            #expect(verdict == nil)
        }
        #expect(gate.isRepeating)
        _ = gate.examine(
            SensorSample(source: .gyroscope, vector: Vector3(0.002, 0, 0)), rotation: nil, at: Self.at(61))
        #expect(!gate.isRepeating)
    }
}
