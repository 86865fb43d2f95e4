import HeadingPipeline
import Testing

/// One sensor says something else than is true for a while, on a vessel whose others are right. Bounds are those of the
/// product: the stated accuracy covers 95 % of the errors from shortly after the lie has begun, and 20 s after its end the
/// heading is good again.
@Suite("Sensors that lie for a while")
struct SensorLieTests {
    struct Lie: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var source: Source
        var kind: SensorLie.Kind
        var seconds: Double

        init(_ name: String, _ kind: SensorLie.Kind, of source: Source = .gyroscope, for seconds: Double) {
            testDescription = name
            self.source = source
            self.kind = kind
            self.seconds = seconds
        }
    }

    static let passing = [
        Lie("a gyroscope that says 0 for 3 s", .zero, for: 3),
        Lie("a gyroscope that says 0 for 20 s", .zero, for: 20),
        Lie("a gyroscope that holds its last reading for 20 s", .held, for: 20),
        Lie("a gyroscope that runs wild for 2 s", .offset(Vector3(0, 0, 5)), for: 2),
        Lie("a gyroscope with a sudden bias", .offset(Vector3(0, 0, 0.2)), for: 20),
        Lie("a magnetometer that holds its last reading for 40 s", .held, of: .magnetometer, for: 40),
        Lie("an accelerometer that holds its last reading for 40 s", .held, of: .accelerometer, for: 40),
    ]

    /// Never put right by themselves.
    static let lasting = [
        Lie("a gyroscope that is dead for good", .zero, for: 150),
        Lie("a gyroscope with a mirrored axis", .turned(.diagonal(Vector3(1, 1, -1))), for: 150),
        Lie("a gyroscope in degrees a second", .turned(.diagonal(Vector3(57.3, 57.3, 57.3))), for: 150),
        Lie(
            "a gyroscope with exchanged axes",
            .turned(Matrix3(Vector3(0, 0, 1), Vector3(0, 1, 0), Vector3(1, 0, 0))), for: 150),
    ]

    private struct Outcome {
        var lying = Tally()
        var recovered = Tally()
        var warnings: [Diagnostics.Warning] = []
        var gyroscope = SourceMonitor.State.online
    }

    private struct Tally {
        var count = 0
        var covered = 0
        var good = 0
        /// Good and off by more than a good one may be, by half as much again.
        var wrongAndGood = 0

        mutating func add(_ heading: HeadingMeasurement, error: Angle) {
            count += 1
            if error <= heading.magneticAccuracy { covered += 1 }
            guard heading.quality == .good else { return }
            good += 1
            if error > .degrees(15) { wrongAndGood += 1 }
        }
    }

    /// In circles of 3 deg/s, or on a straight stretch of 28 s.
    private func sail(_ lie: Lie, isTurning: Bool) -> Outcome {
        let field = SimulatedField(
            horizontal: .microtesla(20.3), down: .microtesla(44.2), declination: .zero)
        var scenario = SimulationScenario(field: field)
        if isTurning { scenario.helm = .circles }
        // The voyage's longest stretch is the one from 188 s to 218 s.
        let begin = 190.0
        scenario.lie = SensorLie(lie.source, lie.kind, start: begin, duration: lie.seconds)
        let end = begin + lie.seconds
        let start = Instant(nanoseconds: 1_000_000_000)
        var vessel = SimulatedVessel(
            scenario, startingAt: start, time: UTCTime(year: 2026, month: 12, day: 1))
        var settings = Settings()
        settings.magnetometer.hardIron = .zero
        settings.magnetometer.calibrationResidual = .microtesla(0.5)
        var pipeline = Pipeline(settings: settings, buildDate: UTCTime(year: 2026, month: 11, day: 1))
        var outcome = Outcome()
        for tick in 0...Int(end + 60) * 100 {
            let now = start + .milliseconds(Int64(tick) * 10)
            while pipeline.nextStale(at: now) != nil {}
            vessel.advance(to: now) { reading in
                guard let heading = pipeline.take(reading).heading else { return }
                let seconds = (reading.at - start).seconds
                let truth = scenario.heading(after: reading.at - start)
                let error = Angle.shortest(from: truth, to: heading.magnetic).magnitude
                if seconds > end + 20 {
                    outcome.recovered.add(heading, error: error)
                } else if seconds > begin + 1.5 {
                    outcome.lying.add(heading, error: error)
                }
            }
            if tick == Int(end - 1) * 100 {
                outcome.warnings = pipeline.warnings
                outcome.gyroscope = pipeline.sources.gyroscope.state
            }
        }
        return outcome
    }

    @Test("make the accuracy wider at once and are got over in 20 s", arguments: passing, [true, false])
    func gotOver(lie: Lie, isTurning: Bool) {
        let outcome = sail(lie, isTurning: isTurning)
        #expect(Double(outcome.lying.covered) >= 0.95 * Double(outcome.lying.count), "\(outcome.lying)")
        #expect(outcome.lying.wrongAndGood == 0, "\(outcome.lying)")
        #expect(outcome.recovered.count > 700)
        #expect(outcome.recovered.covered == outcome.recovered.count, "\(outcome.recovered)")
        #expect(
            Double(outcome.recovered.good) >= 0.9 * Double(outcome.recovered.count), "\(outcome.recovered)")
    }

    @Test("for good are named and refused, and the heading does without", arguments: lasting)
    func refused(lie: Lie) {
        let outcome = sail(lie, isTurning: true)
        #expect(Double(outcome.lying.covered) >= 0.95 * Double(outcome.lying.count), "\(outcome.lying)")
        #expect(outcome.lying.wrongAndGood == 0, "\(outcome.lying)")
        let isNamed =
            outcome.warnings.contains(.gyroscopeFrozen)
            || outcome.warnings.contains(.gyroscopeContradicted)
        #expect(isNamed, "\(outcome.warnings)")
        #expect(outcome.gyroscope != .online)
        #expect(outcome.recovered.wrongAndGood == 0)
    }

    @Test("a frozen magnetometer is named while the vessel turns")
    func frozenMagnetometer() {
        let outcome = sail(Self.passing[5], isTurning: true)
        #expect(outcome.warnings.contains(.frozen), "\(outcome)")
    }
}
