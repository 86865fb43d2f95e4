import HeadingPipeline
import Testing

/// Logs of yachts, with geodesic distances and bearings between their fixes computed by geographiclib.
@Suite("Tracks of yachts", .needsSharedData)
struct TrackTests {
    @Test(
        "distances and bearings from fix to fix are the reference's",
        arguments: ["irene_2008-06-18", "irene_2014-06-19_a", "signalk_gps", "signalk_plaka_sail"])
    func stepsAgree(name: String) throws {
        var last: GeoPosition?
        var steps = 0
        for row in try SharedData.rows("tracks/\(name).ref.csv") {
            guard let latitude = Double(row[1]), let longitude = Double(row[2]) else { continue }
            let here = place(latitude, longitude)
            defer { last = here }
            guard let last, let distance = Double(row[4]) else { continue }
            steps += 1
            let way = Geodesic(from: last, to: here)
            // The table has 8 decimals of a degree: a millimetre.
            #expect(abs(way.distance.meters - distance) < 3e-3)
            guard let bearing = Double(row[5]), distance > 1 else { continue }
            let error = abs(Angle.shortest(from: .degrees(bearing), to: way.initialBearing).degrees)
            #expect(error < 0.2 / distance)
        }
        #expect(steps > 500)
    }

    /// The receivers' own speed and course against those from fixes of one a second, rounded to 1/1000 or 1/100
    /// of a minute. The receiver itself is smoothed and late, so the agreement has its limits.
    @Test(
        "speed and course from the fixes alone are about the receiver's",
        arguments: [
            ("irene_2008-06-18", 0.95, 6.0), ("irene_2014-06-19_a", 0.8, 9), ("signalk_gps", 0.8, 30),
        ])
    func motionAgrees(name: String, share: Double, medianTurn: Double) throws {
        var tracker = FixTracker(settings: Settings().gps)
        var speedErrors: [Double] = []
        var courseErrors: [Double] = []
        var inside = 0
        for row in try SharedData.rows("tracks/\(name).ref.csv") {
            guard let fix = fix(row), let time = fix.time else { continue }
            let outcome = tracker.update(fix, at: Instant(nanoseconds: time.nanoseconds))
            guard let navigation = outcome.navigation, let speed = navigation.speed,
                let knots = Double(row[7])
            else { continue }
            let error = (speed.speed - .knots(knots)).magnitude
            speedErrors.append(error.metersPerSecond)
            // The receiver's own resolution is 0.1 knot.
            if error <= speed.accuracy + .knots(0.1) { inside += 1 }
            guard let course = navigation.course, let given = Double(row[8]) else { continue }
            courseErrors.append(abs(Angle.shortest(from: .degrees(given), to: course.course).degrees))
        }
        #expect(speedErrors.count > 1000)
        #expect(speedErrors.sorted()[speedErrors.count / 2] < 0.2)
        #expect(Double(inside) / Double(speedErrors.count) >= share)
        #expect(courseErrors.sorted()[courseErrors.count / 2] < medianTurn)
    }

    /// The receivers' own speed over ground, summed over time, is the way that they have sailed; the sum of the steps
    /// from fix to fix is up to 14 % more, since fixes are noisy and rounded.
    @Test(
        "the trip is as long as the receiver's speed makes it, with that speed and without",
        arguments: [("irene_2008-06-18", 2818.5), ("irene_2014-06-19_a", 3255.8)], [true, false])
    func trip(log: (name: String, meters: Double), isSpeedGiven: Bool) throws {
        var tracker = FixTracker(settings: Settings().gps)
        var trip = Trip()
        for row in try SharedData.rows("tracks/\(log.name).ref.csv") {
            guard var fix = fix(row), let time = fix.time else { continue }
            if isSpeedGiven {
                fix.speed = Double(row[7]).map(Speed.knots)
                fix.course = Double(row[8]).map(Angle.degrees)
            }
            let outcome = tracker.update(fix, at: Instant(nanoseconds: time.nanoseconds))
            if let navigation = outcome.navigation { trip.update(navigation, time: time) }
        }
        let share = trip.totals.distance.meters / log.meters
        #expect(abs(share - 1) < 0.05, "\(share)")
    }

    private func fix(_ row: [String]) -> GpsFix? {
        guard let latitude = Double(row[1]), let longitude = Double(row[2]) else { return nil }
        var fix = GpsFix(mode: .twoDimensional)
        fix.position = place(latitude, longitude)
        fix.time = UTCTime(rfc3339: row[0] + "Z")
        return fix
    }
}
