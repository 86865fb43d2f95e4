import HeadingPipeline
import Testing

@Suite("Pipeline on a simulated voyage")
struct SimulatedVoyageTests {
    private let start = Instant(nanoseconds: 1_000_000_000)
    private let launch = UTCTime(year: 2026, month: 12, day: 1)

    private func voyage(
        seconds: Int, _ observe: (Measurements, SimulatedVessel.Truth) -> Void
    ) throws {
        let place = try #require(GeoPosition(latitude: .degrees(50.3), longitude: .degrees(-4.2)))
        let elements = MagneticModel.wmm2025.elements(
            at: place, height: .zero, decimalYear: launch.decimalYear)
        let scenario = SimulationScenario(
            field: SimulatedField(
                horizontal: elements.horizontal, down: elements.down, declination: elements.declination))
        var settings = Settings()
        settings.magnetometer.hardIron = .zero
        var pipeline = Pipeline(settings: settings)
        var vessel = SimulatedVessel(scenario, startingAt: start, time: launch)
        for tick in 0...(seconds * 100) {
            var readings: [Reading] = []
            vessel.advance(to: start + .milliseconds(Int64(tick) * 10)) { readings.append($0) }
            for reading in readings { observe(pipeline.take(reading), vessel.truth) }
        }
        #expect(Rejection.allCases.allSatisfy { pipeline.rejections[$0] == 0 })
    }

    /// How far from the truth the values were, and how many of them no further than their accuracy.
    private struct Score {
        private var errors: [Double] = []
        private var honest = 0

        mutating func add(error: Double, accuracy: Double) {
            errors.append(error)
            if error <= accuracy { honest += 1 }
        }

        var count: Int { errors.count }
        var honesty: Double { Double(honest) / Double(max(1, errors.count)) }
        func quantile(_ part: Double) -> Double {
            errors.isEmpty ? .nan : errors.sorted()[Int(Double(errors.count - 1) * part)]
        }
    }

    @Test("headings follow the truth in waves and turns, and their accuracy is honest")
    func headings() throws {
        var score = Score()
        var declinations: [Angle] = []
        try voyage(seconds: 300) { measurements, truth in
            guard let heading = measurements.heading else { return }
            let error = Angle.shortest(from: truth.magneticHeading, to: heading.magnetic).magnitude
            score.add(error: error.degrees, accuracy: heading.magneticAccuracy.degrees)
            guard let trueNorth = heading.trueNorth else { return }
            declinations.append(Angle.shortest(from: heading.magnetic, to: trueNorth.heading))
        }
        #expect(score.count == 6001)
        #expect(score.quantile(0.5) < 2)
        #expect(score.quantile(0.95) < 8)
        #expect(score.honesty > 0.95)
        #expect(declinations.count > 5990)
        // 50.3 N 4.2 W on 2026-12-01, by an independent implementation.
        #expect(declinations.allSatisfy { abs($0.degrees - -0.0142) < 0.002 })
    }

    @Test("speed, course and position follow the truth, and their accuracy is honest")
    func fixes() throws {
        var (speeds, courses, distances) = (Score(), Score(), Score())
        try voyage(seconds: 300) { measurements, truth in
            if let speed = measurements.speed?.speed {
                let error = (speed.speed - truth.speed).magnitude
                speeds.add(error: error.metersPerSecond, accuracy: speed.accuracy.metersPerSecond)
            }
            if let course = measurements.course?.course {
                let error = Angle.shortest(from: truth.course, to: course.course).magnitude
                courses.add(error: error.degrees, accuracy: course.accuracy.degrees)
            }
            if let place = measurements.position {
                let distance = meters(from: truth.position, to: place.position)
                distances.add(error: distance, accuracy: place.accuracy.meters)
            }
        }
        for score in [speeds, courses] { #expect(score.count > 290 && score.honesty > 0.9) }
        // The receiver's error wanders, so five minutes hold few independent ones.
        #expect(distances.count > 290 && distances.honesty > 0.7)
        #expect(speeds.quantile(0.95) < 0.2)
        #expect(courses.quantile(0.95) < 5)
        #expect(distances.quantile(0.95) < 8)
    }

    private func meters(from start: GeoPosition, to end: GeoPosition) -> Double {
        let north = (end.latitude - start.latitude).degrees * 111_240
        let east = (end.longitude - start.longitude).degrees * 111_320 * start.latitude.cosine
        return (north * north + east * east).squareRoot()
    }
}
