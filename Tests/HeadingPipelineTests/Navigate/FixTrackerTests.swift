import HeadingPipeline
import Testing

@Suite("Position, speed and course from fixes")
struct FixTrackerTests {
    @Test("a position alone is a position: no speed, no course")
    func positionAlone() throws {
        var tracker = FixTracker(settings: Settings().gps)
        var fix = GpsFix(mode: .threeDimensional)
        fix.position = place(50.3, -4.2)
        let navigation = try #require(tracker.update(fix, at: Instant(nanoseconds: 5)).navigation)
        #expect(navigation.position == place(50.3, -4.2))
        #expect(navigation.speed == nil && navigation.course == nil && navigation.altitude == nil)
        #expect(navigation.horizontalAccuracy == .meters(15))
    }

    @Test("speed and course are the receiver's from the first fix that has them")
    func receiversWord() throws {
        var voyage = Voyage()
        let navigation = try #require(
            voyage.sail(course: 212, speed: 3) {
                $0.speed = .metersPerSecond(3.1)
                $0.course = .degrees(211)
            }.navigation)
        #expect(navigation.speed?.speed == .metersPerSecond(3.1))
        #expect(navigation.speed?.origin == .receiver)
        #expect(navigation.course?.course == .degrees(211))
        #expect(navigation.course?.origin == .receiver)
    }

    @Test(
        "without them, both come from the fixes within 3 s of moving north-east at 5 m/s",
        arguments: [place(50.3, -4.2), place(0, 179.99997), place(-33.8, 151.2), place(71, -180)],
        [1, 2, 3, 4, 5] as [UInt64])
    func fromFixes(start: GeoPosition, seed: UInt64) throws {
        var voyage = Voyage(from: start, noise: 0.1, seed: seed)
        for _ in 0..<30 { _ = voyage.sail(course: 0, speed: 0) }
        for _ in 0..<2 { _ = voyage.sail(course: 45, speed: 5) }
        let navigation = try #require(voyage.sail(course: 45, speed: 5).navigation)
        let speed = try #require(navigation.speed)
        let course = try #require(navigation.course)
        #expect(abs(speed.speed.metersPerSecond - 5) <= 0.3)
        #expect(abs(Angle.shortest(from: .degrees(45), to: course.course).degrees) <= 3)
        #expect(speed.origin == .fixes && course.origin == .fixes)
    }

    @Test(
        "and from the very first fixes on", arguments: [5, 15, nil] as [Double?], [1, 2, 3] as [UInt64])
    func fromFirstFixes(error: Double?, seed: UInt64) throws {
        var voyage = Voyage(noise: 0.1, seed: seed)
        var last: Navigation?
        for _ in 0..<4 {
            last =
                voyage.sail(course: 45, speed: 5) { $0.horizontalError = error.map(Length.meters) }.navigation
        }
        let course = try #require(last?.course)
        #expect(abs(course.course.degrees - 45) <= 3)
        #expect(abs((last?.speed?.speed.metersPerSecond ?? 0) - 5) <= 0.3)
    }

    @Test("across a pole all stays finite")
    func acrossThePole() {
        var voyage = Voyage(from: place(89.9995, 20), noise: 0.1)
        for _ in 0..<40 {
            let navigation = voyage.sail(course: 20, speed: 5).navigation
            #expect(navigation?.position.latitude.isFinite == true)
            if let speed = navigation?.speed {
                #expect(speed.speed.isFinite && speed.accuracy.isFinite)
            }
            if let course = navigation?.course { #expect(course.course.isFinite && course.accuracy.isFinite) }
        }
    }

    @Test("a turn is followed within 3 s")
    func followsATurn() throws {
        var voyage = Voyage(noise: 0.05)
        for _ in 0..<20 { _ = voyage.sail(course: 350, speed: 4) }
        for _ in 0..<3 { _ = voyage.sail(course: 80, speed: 4) }
        let course = try #require(voyage.tracker.latest?.course?.course)
        #expect(abs(Angle.shortest(from: .degrees(80), to: course).degrees) < 3)
    }

    @Test("after a stop the speed from fixes is near 0 within 4 s, and the course is withheld")
    func followsAStop() throws {
        var voyage = Voyage(noise: 0.05)
        for _ in 0..<40 { _ = voyage.sail(course: 212, speed: 4) }
        for _ in 0..<4 { _ = voyage.sail(course: 0, speed: 0) }
        let navigation = try #require(voyage.tracker.latest)
        #expect((navigation.speed?.speed.metersPerSecond ?? 9) < 0.3)
        #expect(navigation.course == nil)
    }

    @Test(
        "an hour at rest with 2 m noise and speeds of 0.05 to 0.3 m/s shows no course",
        arguments: [1, 2] as [UInt64])
    func restWithReceiverSpeed(seed: UInt64) {
        var voyage = Voyage(noise: 2, seed: seed)
        for _ in 0..<3600 {
            let speed = Double.random(in: 0.05...0.3, using: &voyage.random)
            let course = Double.random(in: 0..<360, using: &voyage.random)
            let navigation = voyage.sail(course: 0, speed: 0) {
                $0.speed = .metersPerSecond(speed)
                $0.course = .degrees(course)
            }.navigation
            #expect(navigation?.course == nil)
            #expect(navigation?.speed?.speed == .metersPerSecond(speed))
        }
    }

    @Test(
        "nor do four hours of positions alone, with 0.3 or 2 m noise", arguments: [0.3, 2],
        [1, 2, 3] as [UInt64])
    func restWithoutReceiverSpeed(noise: Double, seed: UInt64) {
        var voyage = Voyage(noise: noise, seed: seed)
        for _ in 0..<4800 { #expect(voyage.sail(course: 0, speed: 0).navigation?.course == nil) }
        #expect((voyage.tracker.latest?.speed?.speed.metersPerSecond ?? 9) < 0.3)
    }

    @Test("the course comes at the set speed, and goes at 60 % of it only")
    func hysteresis() {
        var voyage = Voyage()
        func isShown(_ speed: Double, after seconds: Int) -> Bool {
            for _ in 0..<seconds {
                _ = voyage.sail(course: 90, speed: speed) {
                    $0.speed = .metersPerSecond(speed)
                    $0.course = .degrees(90)
                }
            }
            return voyage.tracker.latest?.course != nil
        }
        #expect(!isShown(0.45, after: 10))
        #expect(isShown(0.6, after: 5))
        #expect(isShown(0.4, after: 10))
        #expect(isShown(0.32, after: 10))
        #expect(!isShown(0.29, after: 1))
        #expect(!isShown(0.4, after: 10))
        #expect(isShown(0.6, after: 10))
    }

    @Test(
        "after stopping on 212 the course is withheld, never 0", arguments: [0, 0.1, 0.29, 0.4],
        [0, nil] as [Double?])
    func stopsOn212(speed: Double, course: Double?) {
        var voyage = Voyage()
        for _ in 0..<10 {
            _ = voyage.sail(course: 212, speed: 4) {
                $0.speed = .metersPerSecond(4)
                $0.course = .degrees(212)
            }
        }
        for _ in 0..<20 {
            let navigation = voyage.sail(course: 0, speed: 0) {
                $0.speed = .metersPerSecond(speed)
                $0.course = course.map(Angle.degrees)
            }.navigation
            let shown = navigation?.course?.course.degrees
            #expect(shown == nil || abs((shown ?? 0) - 212) < 1e-9)
        }
        #expect(voyage.tracker.latest?.course == nil)
        #expect(voyage.tracker.latest?.speed?.speed == .metersPerSecond(speed))
    }

    @Test("a receiver that leaves the course out at rest is at rest at once: no old speed with a new time")
    func courseLeftOut() {
        var voyage = Voyage()
        for speed in [2.0, 1.5, 1, 0.5, 0, 0, 0] {
            let navigation = voyage.sail(course: 300, speed: speed) {
                $0.speed = .metersPerSecond(speed)
                $0.course = speed > 0 ? .degrees(300) : nil
            }.navigation
            #expect(navigation?.speed?.speed == .metersPerSecond(speed))
            #expect((navigation?.course == nil) == (speed == 0))
        }
    }

    @Test("a fix 40 km away is dropped, and what follows is as if it had not been")
    func dropsAWildFix() throws {
        var voyage = Voyage()
        for _ in 0..<10 { _ = voyage.sail(course: 90, speed: 5) }
        let outcome = voyage.sail(course: 90, speed: 5) {
            $0.position = $0.position.map {
                Geodesic.destination(from: $0, bearing: .degrees(10), distance: .kilometers(40)).position
            }
        }
        #expect(outcome.rejection == .wildFix)
        let navigation = try #require(voyage.sail(course: 90, speed: 5).navigation)
        #expect(abs((navigation.speed?.speed.metersPerSecond ?? 0) - 5) < 0.1)
        #expect(navigation.position == voyage.truth)
    }

    @Test("three fixes in a row 40 km away are believed, and make no wild speed")
    func believesThree() throws {
        var voyage = Voyage()
        for _ in 0..<10 { _ = voyage.sail(course: 90, speed: 5) }
        voyage.truth =
            Geodesic.destination(from: voyage.truth, bearing: .zero, distance: .kilometers(40)).position
        #expect(voyage.sail(course: 90, speed: 5).rejection == .wildFix)
        #expect(voyage.sail(course: 90, speed: 5).rejection == .wildFix)
        #expect(voyage.sail(course: 90, speed: 5).navigation?.position == voyage.truth)
        for _ in 0..<10 {
            let navigation = voyage.sail(course: 90, speed: 5).navigation
            #expect((navigation?.speed?.speed.metersPerSecond ?? 5) < 5.1)
        }
    }

    @Test("three reports of one wild epoch are one wild fix")
    func oneWildEpoch() {
        var voyage = Voyage()
        for _ in 0..<10 { _ = voyage.sail(course: 90, speed: 5) }
        let away = place(51, -4.2)
        #expect(voyage.sail(course: 90, speed: 5) { $0.position = away }.rejection == .wildFix)
        for _ in 0..<4 {
            #expect(voyage.sail(0, course: 90, speed: 5) { $0.position = away }.rejection == .wildFix)
        }
        #expect(voyage.sail(course: 90, speed: 5).navigation != nil)
    }

    @Test("far away after a long silence is no wild fix; nor is an airliner's next one")
    func plausibleLeaps() {
        var voyage = Voyage()
        _ = voyage.sail(course: 90, speed: 5)
        #expect(voyage.sail(3600, course: 90, speed: 15).navigation != nil)
        for _ in 0..<5 {
            let outcome = voyage.sail(10, course: 90, speed: 15) {
                $0.speed = .metersPerSecond(15)
                $0.course = .degrees(90)
            }
            #expect(outcome.navigation != nil)
        }
        var flight = Voyage()
        for _ in 0..<5 {
            let outcome = flight.sail(course: 90, speed: 260) {
                $0.speed = .metersPerSecond(260)
                $0.course = .degrees(90)
            }
            #expect(outcome.navigation != nil)
        }
    }

    @Test("time that jumps back, or is absent, changes nothing", arguments: [false, true])
    func timeJumpsBack(isAbsent: Bool) throws {
        var voyage = Voyage(noise: 0.05)
        for round in 0..<5 {
            for _ in 0..<10 {
                let outcome = voyage.sail(course: 45, speed: 5) {
                    if isAbsent, round % 2 == 1 { $0.time = nil }
                }
                #expect(outcome.navigation != nil)
            }
            let navigation = try #require(voyage.tracker.navigation(at: voyage.now + .seconds(4)))
            #expect(abs((navigation.speed?.speed.metersPerSecond ?? 0) - 5) < 0.3)
            voyage.time = voyage.time + .seconds(round == 3 ? 1024 * 7 * 86_400 : -10)
        }
    }

    @Test("a log replayed ten times too fast shows the speed it was recorded at")
    func replayedFaster() throws {
        var voyage = Voyage()
        for _ in 0..<20 {
            _ = voyage.sail(course: 45, speed: 5)
            voyage.now = voyage.now - .seconds(0.9)
        }
        #expect(abs((voyage.tracker.latest?.speed?.speed.metersPerSecond ?? 0) - 5) < 0.01)
    }

    @Test("without a fix what is known grows old and goes")
    func growsOld() {
        var voyage = Voyage()
        _ = voyage.sail(course: 0, speed: 0)
        for mode in 0..<5 {
            voyage.now = voyage.now + .seconds(1)
            var fix = GpsFix(mode: .none)
            fix.time = mode == 0 ? nil : voyage.time
            #expect(voyage.tracker.update(fix, at: voyage.now).navigation == nil)
            #expect(voyage.tracker.navigation(at: voyage.now) != nil)
        }
        #expect(voyage.tracker.navigation(at: voyage.now + .milliseconds(1)) == nil)
    }

    @Test("what only some reports of an epoch hold does not come and go, but is not kept for ever")
    func partialReports() throws {
        var voyage = Voyage()
        for _ in 0..<5 {
            _ = voyage.sail(course: 30, speed: 2) {
                $0.altitude = .meters(12)
                $0.horizontalError = .meters(7)
                $0.speed = .metersPerSecond(2)
                $0.course = .degrees(30)
                $0.speedError = .metersPerSecond(0.25)
            }
            let part = try #require(
                voyage.sail(0, course: 30, speed: 2) { $0.horizontalError = nil }.navigation)
            #expect(part.altitude == .meters(12) && part.horizontalAccuracy == .meters(7))
            #expect(
                part.speed?.speed == .metersPerSecond(2) && part.speed?.accuracy == .metersPerSecond(0.25))
            #expect(part.course?.course == .degrees(30))
        }
        for _ in 0..<3 { _ = voyage.sail(course: 30, speed: 2) { $0.horizontalError = nil } }
        let later = try #require(voyage.tracker.latest)
        #expect(later.altitude == nil && later.horizontalAccuracy == .meters(15))
        #expect(later.speed?.origin == .fixes)
    }

    /// Reports of gpsd 3.22 for a recording of 2014-06-19 (jpilet/anemomind, irene): every second one has a
    /// speed that gpsd made of two rounded positions.
    @Test("gpsd's own quotients do not make the speed flutter")
    func quotients() throws {
        let log: [(second: Double, latitude: Double, longitude: Double, course: Double?, speed: Double)] = [
            (8, 46.497883333, 6.687600000, 184, 1.183), (9, 46.497883333, 6.687583333, nil, 1.279),
            (9, 46.497883333, 6.687583333, 177, 1.080), (10, 46.497866667, 6.687566667, nil, 2.252),
            (10, 46.497866667, 6.687566667, 177, 1.080), (11, 46.497866667, 6.687566667, nil, 0.000),
            (11, 46.497866667, 6.687566667, 172, 1.183), (12, 46.497850000, 6.687583333, nil, 2.252),
            (13, 46.497866667, 6.687550000, 175, 1.132),
        ]
        var tracker = FixTracker(settings: Settings().gps)
        for report in log {
            var fix = GpsFix(mode: .twoDimensional)
            fix.position = place(report.latitude, report.longitude)
            fix.time = UTCTime(year: 2034, month: 2, day: 2) + .seconds(report.second)
            fix.course = report.course.map(Angle.degrees)
            fix.speed = .metersPerSecond(report.speed)
            let now = Instant(nanoseconds: 0) + .seconds(report.second)
            let speed = try #require(tracker.update(fix, at: now).navigation?.speed)
            #expect((1.0...1.3).contains(speed.speed.metersPerSecond))
        }
    }

    @Test("from a receiver that gives neither, gpsd's quotients are not passed on as its word")
    func quotientsAlone() throws {
        var voyage = Voyage(noise: 2)
        var last: GeoPosition?
        for second in 0..<60 {
            let navigation = voyage.sail(course: 70, speed: 3) {
                if let last, let here = $0.position {
                    $0.speed = .metersPerSecond(Geodesic(from: last, to: here).distance.meters)
                }
                last = $0.position
            }.navigation
            guard second > 30, let speed = navigation?.speed else { continue }
            #expect(speed.origin == .fixes)
            #expect(abs(speed.speed.metersPerSecond - 3) < 1)
        }
    }

    @Test("a receiver that gives a speed but no course is believed, and the course comes from fixes")
    func speedWithoutCourse() throws {
        var voyage = Voyage(noise: 0.1)
        for _ in 0..<6 { _ = voyage.sail(course: 250, speed: 3) { $0.speed = .metersPerSecond(3.4) } }
        let navigation = try #require(voyage.tracker.latest)
        #expect(navigation.speed?.speed == .metersPerSecond(3.4))
        #expect(navigation.speed?.origin == .receiver)
        #expect(navigation.course?.origin == .fixes)
        #expect(abs((navigation.course?.course.degrees ?? 0) - 250) < 4)
    }

    @Test("the number of satellites does not flap to 0")
    func satellites() {
        var voyage = Voyage()
        _ = voyage.sail(course: 0, speed: 0)
        for (report, shown) in [(nil, nil), (9, 9), (0, 9), (nil, 9), (8, 8)] as [(Int?, Int?)] {
            voyage.tracker.update(SatelliteReport(used: report), at: voyage.now)
            #expect(voyage.sail(course: 0, speed: 0).navigation?.satellites == shown)
        }
        voyage.tracker.update(SatelliteReport(used: 0), at: voyage.now + .seconds(60))
        #expect(voyage.sail(60, course: 0, speed: 0).navigation?.satellites == 0)
    }

    @Test(
        "95 % of the errors of a speed and course from fixes lie inside their accuracy",
        arguments: [(0.5, 3.0), (1, 5.0), (2, 8.0)])
    func isHonest(noise: Double, speed: Double) throws {
        var inside = (speed: 0, course: 0)
        var all = (speed: 0, course: 0)
        for seed in 1...20 as ClosedRange<UInt64> {
            var voyage = Voyage(noise: noise, seed: seed)
            for second in 0..<200 {
                let navigation = voyage.sail(course: 100, speed: speed).navigation
                guard second >= 10, let found = navigation?.speed else { continue }
                all.speed += 1
                if abs(found.speed.metersPerSecond - speed) <= found.accuracy.metersPerSecond {
                    inside.speed += 1
                }
                guard let course = navigation?.course else { continue }
                all.course += 1
                let error = Angle.shortest(from: .degrees(100), to: course.course).magnitude
                if error <= course.accuracy { inside.course += 1 }
            }
        }
        let share = (
            speed: Double(inside.speed) / Double(all.speed),
            course: Double(inside.course) / Double(all.course)
        )
        #expect((0.93...0.985).contains(share.speed), "speed \(share)")
        #expect((0.93...0.985).contains(share.course), "course \(share)")
    }
}
