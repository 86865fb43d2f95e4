import Glibc
import Testing

@testable import HeadingPipeline

/// A gyroscope that is read eleven times a second, as a slow bus allows, on a body that turns quickly and stands still
/// again: of the turn's beginning and end it shows little.
@Suite("Attitude filter with few readings")
struct SparseGyroscopeTests {
    private struct Table {
        var filter = AttitudeFilter()
        var isCalibrated: Bool
        var noise: SplitMix64
        let turn: Double
        /// Of the gyroscope's readings, seconds.
        let phase: Double

        private static let begin = 5.0
        private static let rate = 60.0

        init(turn: Double, phase: Double, isCalibrated: Bool) {
            self.turn = turn
            self.phase = phase
            self.isCalibrated = isCalibrated
            noise = SplitMix64(state: UInt64(turn * 100 + phase * 1000))
        }

        func heading(_ t: Double) -> Double { min(max(0, t - Self.begin) * Self.rate, turn) }

        private func rate(_ t: Double) -> Double {
            t >= Self.begin && t < Self.begin + turn / Self.rate ? Self.rate * .pi / 180 : 0
        }

        /// The error at each second.
        mutating func run(seconds: Int) -> [(error: Double, stated: Double)] {
            var results: [(Double, Double)] = []
            for tick in 1...seconds * 100 {
                let t = Double(tick) / 100
                let now = Instant(nanoseconds: Int64(tick) * 10_000_000)
                let body = Body(heading: heading(t))
                // Every 9 hundredths of a second: 11 a second.
                if (tick + Int(phase * 100)) % 9 == 0 {
                    filter.update(rotation: Vector3(0, 0, rate(t)), at: now)
                }
                if tick % 5 == 0 {
                    filter.update(specificForce: body.specificForce / Vertical.gravity, at: now)
                    let field =
                        body.field() + Vector3(noise.gaussian(), noise.gaussian(), noise.gaussian()) * 0.1
                    filter.update(fieldMicrotesla: field, isCalibrated: isCalibrated, at: now)
                }
                guard tick % 100 == 0 else { continue }
                let outcome = filter.outcome(at: now)
                let error = Angle.shortest(from: .degrees(heading(t)), to: outcome.heading)
                results.append((error.degrees, outcome.uncertainty.degrees * 1.96))
            }
            return results
        }
    }

    @Test(
        "a quick turn is not learnt as bias: at rest the heading stays, and stays within what is stated",
        arguments: [40.0, 80, 120, 180], [0.0, 0.03, 0.06])
    func quickTurn(turn: Double, phase: Double) {
        for isCalibrated in [true, false] {
            var table = Table(turn: turn, phase: phase, isCalibrated: isCalibrated)
            let results = table.run(seconds: 130)
            let settled = results[14...].map(\.error)
            let drift = (settled.max() ?? 0) - (settled.min() ?? 0)
            #expect(drift < 1, "calibrated \(isCalibrated)")
            #expect(abs(table.filter.bias.z) < 0.02 * .pi / 180, "calibrated \(isCalibrated)")
            #expect(results.allSatisfy { abs($0.error) <= $0.stated }, "calibrated \(isCalibrated)")
        }
    }
}
