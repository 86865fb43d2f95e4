import Glibc
import HeadingPipeline
import Testing

/// A degree of the equator is 111 319.4908 m: a metre east is 1 / 111 319.4908 of a degree.
@Suite("Trip")
struct TripTests {
    private static let start = Instant(nanoseconds: 1_000_000_000)
    private static let time = UTCTime(year: 2026, month: 12, day: 1)

    private struct Log {
        var trip = Trip()
        var second = 0.0

        /// A fix so many metres east and north of 0, 0.
        mutating func fix(
            east: Double, north: Double = 0, speed: Double?, course: Double?, accuracy: Double = 4,
            origin: MotionOrigin = .receiver, after seconds: Double = 1
        ) {
            second += seconds
            let degree = 111_319.4908
            var navigation = Navigation.under(
                way: place(north / degree, east / degree), speed: speed, course: course,
                at: TripTests.start + .seconds(second), origin: origin)
            navigation.horizontalAccuracy = .meters(accuracy)
            navigation.time = TripTests.time + .seconds(second)
            trip.update(navigation, time: navigation.time)
        }

        var meters: Double { trip.totals.distance.meters }
    }

    @Test("counts the way over ground, and the speed that was held")
    func counts() {
        var log = Log()
        for second in 0...1000 { log.fix(east: Double(second) * 5, speed: 5, course: 90) }
        #expect(abs(log.meters - 5000) < 15)
        #expect(log.trip.totals.maximumSpeed == .metersPerSecond(5))
        #expect(log.trip.totals.since == Self.time + .seconds(1))
    }

    /// 500 m east, then 500 m north: 1000 m, not the 707 m as the crow flies; positions off by 1 m add no more than a
    /// few per cent.
    @Test("follows a bent track, with noise", arguments: [1, 2, 3] as [UInt64])
    func bent(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var log = Log()
        for second in 0...200 {
            let way = Double(second) * 5
            log.fix(
                east: min(way, 500) + random.gaussian() * 0.5,
                north: max(0, way - 500) + random.gaussian() * 0.5,
                speed: 5, course: way < 500 ? 90 : 0)
        }
        #expect(abs(log.meters - 1000) < 30, "\(log.meters), seed \(seed)")
    }

    @Test("an hour at rest with wandering fixes makes no way", arguments: [1, 2, 3] as [UInt64])
    func rest(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var log = Log()
        var wander = 0.0
        for _ in 0..<3600 {
            wander = wander * 0.999 + random.gaussian() * 0.3
            log.fix(
                east: wander + random.gaussian() * 2, north: random.gaussian() * 2,
                speed: abs(random.gaussian()) * 0.15, course: nil)
        }
        #expect(log.meters == 0)
        #expect(log.trip.totals.maximumSpeed == .zero)
    }

    /// 0.2 m/s, 0.4 kn, for two hours are 1440 m; no receiver gives a course that slow.
    @Test("a boat that drifts makes way, though she has no course", arguments: [1, 2, 3] as [UInt64])
    func drift(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var log = Log()
        var wander = 0.0
        for second in 0...7200 {
            wander = wander * 0.999 + random.gaussian() * 0.05
            log.fix(
                east: Double(second) * 0.2 + wander + random.gaussian() * 0.5,
                north: random.gaussian() * 0.5, speed: 0.2 + abs(random.gaussian()) * 0.1, course: nil)
        }
        #expect(abs(log.meters - 1440) < 80, "\(log.meters), seed \(seed)")
        let fastest = log.trip.totals.maximumSpeed.metersPerSecond
        #expect(fastest > 0.19 && fastest < 0.25, "\(fastest)")
    }

    /// A minute at 0.4 m/s and one at 0.8 m/s are 72 m.
    @Test("a speed about the least that gives a course loses no way")
    func slow() {
        var log = Log()
        var east = 0.0
        for second in 0..<2400 {
            let speed = second / 60 % 2 == 0 ? 0.4 : 0.8
            east += speed
            log.fix(east: east, speed: speed, course: speed > 0.5 ? 90 : nil)
        }
        #expect(abs(log.meters - 1440) < 50, "\(log.meters)")
    }

    @Test("a course that comes and goes is one way", arguments: [2, 5, 20])
    func flickering(seconds: Int) {
        var log = Log()
        for second in 0..<600 {
            log.fix(
                east: Double(second), speed: 1, course: second / seconds % 2 == 0 ? 90 : nil, accuracy: 20)
        }
        #expect(abs(log.meters - 600) < 50, "\(log.meters)")
    }

    @Test(
        "neither swinging at anchor nor a bad sky makes way",
        arguments: [(radius: 20.0, accuracy: 4.0), (60, 15), (200, 40)])
    func atAnchor(radius: Double, accuracy: Double) {
        var log = Log()
        for second in 0..<7200 {
            let angle = Double(second) / 1200 * 2 * .pi
            log.fix(
                east: radius * sin(angle), north: radius * cos(angle), speed: 0.1, course: nil,
                accuracy: accuracy)
        }
        #expect(log.meters == 0)
    }

    @Test("stops on the way do not add their noise", arguments: [1, 2, 3] as [UInt64])
    func stopAndGo(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var log = Log()
        var east = 0.0
        for second in 0..<7200 {
            let isMoving = second / 60 % 2 == 0
            if isMoving { east += 1 }
            log.fix(
                east: east + random.gaussian(), north: random.gaussian(), speed: isMoving ? 1 : 0.1,
                course: isMoving ? 90 : nil)
        }
        #expect(abs(log.meters - 3600) < 360, "\(log.meters), seed \(seed)")
    }

    @Test(
        "one wild fix at rest is no way, nor a place that a receiver leaps to and back from",
        arguments: [1, 4, 60], [60.0, 300, 40_000])
    func wildAtRest(count: Int, offset: Double) {
        var log = Log()
        for second in 0..<600 {
            let isWild = second >= 100 && second < 100 + count
            log.fix(east: isWild ? offset : 0, speed: 0.1, course: nil)
        }
        #expect(log.meters == 0)
        #expect(log.trip.totals.maximumSpeed == .zero)
    }

    @Test(
        "one wild fix under way adds nothing to speak of, whoever tells the speed",
        arguments: [60.0, 300, 40_000], [MotionOrigin.receiver, .fixes])
    func wildFix(offset: Double, origin: MotionOrigin) {
        var log = Log()
        for second in 0...200 {
            let isWild = second == 100
            log.fix(
                east: Double(second) * 5, north: isWild ? offset : 0,
                speed: isWild && origin == .fixes ? 5 + offset / 3 : 5, course: 90, origin: origin)
        }
        #expect(abs(log.meters - 1000) < 20, "\(log.meters)")
        #expect(log.trip.totals.maximumSpeed.metersPerSecond < 6)
    }

    @Test("one wild speed is no maximum, two reports of one epoch are one witness")
    func wildSpeed() {
        var log = Log()
        for second in 0...20 { log.fix(east: Double(second) * 5, speed: second == 10 ? 50 : 5, course: 90) }
        #expect(log.trip.totals.maximumSpeed == .metersPerSecond(5))
        log.fix(east: 105, speed: 60, course: 90)
        log.fix(east: 105, speed: 60, course: 90, after: 0)
        log.fix(east: 110, speed: 5, course: 90)
        #expect(log.trip.totals.maximumSpeed == .metersPerSecond(5))
    }

    @Test("a vessel that turns out to be elsewhere has not sailed there")
    func relocated() {
        var log = Log()
        for second in 0...10 { log.fix(east: Double(second) * 5, speed: 5, course: 90) }
        for second in 0...20 { log.fix(east: 90_000 + Double(second) * 5, speed: 5, course: 90) }
        #expect(log.meters < 160)
        #expect(log.meters > 100)
    }

    @Test("a silence of minutes is bridged straight, one of hours is not")
    func gaps() {
        var log = Log()
        for second in 0...20 { log.fix(east: Double(second) * 5, speed: 5, course: 90) }
        log.fix(east: 100 + 5 * 120, speed: 5, course: 90, after: 120)
        #expect(abs(log.meters - 700) < 15)
        log.fix(east: 100_000, speed: 5, course: 90, after: 7200)
        #expect(abs(log.meters - 700) < 15)
    }

    @Test("a reset begins anew, with the speed too, and at its own time")
    func reset() {
        var log = Log()
        for second in 0...100 { log.fix(east: Double(second) * 5, speed: 5, course: 90) }
        log.trip.reset(at: Self.time + .seconds(3600))
        #expect(log.trip.totals == TripTotals(since: Self.time + .seconds(3600)))
        for second in 101...201 { log.fix(east: Double(second) * 5, speed: 4, course: 90) }
        #expect(abs(log.meters - 505) < 15)
        #expect(log.trip.totals.maximumSpeed == .metersPerSecond(4))
    }

    @Test("goes on from what was kept")
    func resumed() {
        let kept = TripTotals(distance: .meters(1000), maximumSpeed: .metersPerSecond(7), since: Self.time)
        var log = Log(trip: Trip(kept))
        for second in 0...20 { log.fix(east: Double(second) * 5, speed: 5, course: 90) }
        #expect(abs(log.meters - 1100) < 15)
        #expect(log.trip.totals.maximumSpeed == .metersPerSecond(7))
        #expect(log.trip.totals.since == Self.time)
    }
}
