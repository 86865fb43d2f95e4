import Glibc
import HeadingPipeline
import Testing

/// A magnet that is on the sensor from the first sample, under a calibration that does not know it.
@Suite("A magnet on board")
struct MagnetOnBoardTests {
    private struct Outcome {
        var headings = 0
        /// The error is larger than what is stated.
        var uncovered = 0
        /// A good heading, after she has turned by 60°, that is wrong by more than a good one may be.
        var wrongAndGood = 0
    }

    /// A calm boat with a fix that lies on four headings and turns slowly from one to the next.
    private func sail(_ magnet: Vector3, hasGyroscope: Bool) throws -> Outcome {
        var pipeline = Pipeline(
            settings: Boat.calibrated(), buildDate: UTCTime(year: 2026, month: 11, day: 1))
        var fix = GpsFix(mode: .threeDimensional)
        fix.position = place(50.37, -4.14)
        fix.time = UTCTime(year: 2026, month: 11, day: 30)
        var now = Instant(nanoseconds: 1_000_000_000)
        _ = pipeline.take(Reading(at: now, .fix(fix)))
        var outcome = Outcome()
        var heading = 0.0
        for step in 0..<2400 {
            // 20 s of rest, then 90° in 40 s.
            let rate = step % 600 < 200 ? 0 : 2.25
            heading += rate / 10
            let body = Body(heading: heading, roll: 2 * sin(Double(step) / 9))
            now = now + .milliseconds(100)
            func take(_ source: Source, _ bodyFrame: Vector3) -> Measurements {
                let sample = SensorSample(source: source, vector: Settings.partsUp * bodyFrame)
                return pipeline.take(Reading(at: now, .sample(sample)))
            }
            // The derivative of the roll above: 2 · 10/9 cos.
            let rolling = Vector3(20.0 / 9 * cos(Double(step) / 9), 0, 0) * (.pi / 180)
            let rotation = body.turned(Vector3(0, 0, rate * .pi / 180)) + rolling
            if hasGyroscope { _ = take(.gyroscope, rotation) }
            _ = take(.accelerometer, body.specificForce)
            let new = take(.magnetometer, body.field() + magnet)
            // Half a second for the filters to start.
            guard step > 5, let shown = new.heading else { continue }
            let error = Angle.shortest(from: .degrees(heading), to: shown.magnetic).magnitude
            outcome.headings += 1
            if error > shown.magneticAccuracy { outcome.uncovered += 1 }
            // A field from the side shows in no strength and no dip until she has turned.
            if heading > 60, shown.quality == .good, error > .degrees(10) { outcome.wrongAndGood += 1 }
        }
        return outcome
    }

    @Test(
        "makes the accuracy cover what it does, and once she has turned no wrong heading is good",
        arguments: [8.0, 15, 30], [true, false])
    func fromTheFirstSample(microtesla: Double, hasGyroscope: Bool) throws {
        var all = Outcome()
        for direction in [
            Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(-0.6, 0.8, 0),
            Vector3(0.58, -0.58, 0.58),
            Vector3(0, -0.6, -0.8),
        ] {
            let outcome = try sail(direction * microtesla, hasGyroscope: hasGyroscope)
            all.headings += outcome.headings
            all.uncovered += outcome.uncovered
            all.wrongAndGood += outcome.wrongAndGood
        }
        // From two of the six directions it shows late.
        #expect(Double(all.uncovered) <= 0.08 * Double(all.headings), "\(all)")
        #expect(all.wrongAndGood == 0, "\(all)")
    }

    @Test("is named: interference at once where it is strong, a calibration that is suspect after minutes")
    func named() {
        var boat = Boat(Boat.calibrated())
        boat.fix(50.37, -4.14, time: UTCTime(year: 2026, month: 11, day: 30))
        for _ in 0..<6000 {
            boat.wait(.milliseconds(50))
            boat.accelerometer(Body(heading: 60).specificForce)
            boat.magnetometer(Body(heading: 60).field() + Vector3(12, 0, -9))
        }
        #expect(boat.member("interference", of: .field) == "true")
        #expect(boat.member("quality", of: .headingMagnetic) != "\"good\"")
        let isSuspect = boat.pipeline.warnings.contains {
            if case .calibrationSuspect = $0 { true } else { false }
        }
        #expect(isSuspect)
    }
}
