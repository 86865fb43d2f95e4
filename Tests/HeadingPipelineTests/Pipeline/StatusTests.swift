import HeadingPipeline
import Testing

@Suite("Status of sources")
struct StatusTests {
    @Test("online with the first good reading, offline after the stale time, back with the next")
    func staleness() {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: 60), seconds: 1)
        #expect(boat.payloads(.magnetometerStatus) == ["online"])
        boat.wait(.seconds(2.9))
        #expect(boat.payloads(.magnetometerStatus) == ["online"])
        boat.wait(.seconds(0.2))
        #expect(boat.payloads(.magnetometerStatus) == ["online", "offline"])
        boat.magnetometer(Body(heading: 60).field())
        #expect(boat.payloads(.magnetometerStatus) == ["online", "offline", "online"])
    }

    @Test("no heartbeat repeats what an offline source said")
    func noStaleHeartbeat() {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: 60), seconds: 1)
        boat.wait(.seconds(4))
        let count = boat.count(.heading)
        for _ in 0..<300 { boat.wait(.seconds(1)) }
        #expect(boat.count(.heading) == count)
    }

    @Test("failing reads are survived and counted, with one change of status", arguments: [1, 10, 600])
    func failingReads(count: Int) {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: 60), seconds: 1)
        for _ in 0..<count {
            boat.wait(.milliseconds(50))
            boat.take(.refused(.magnetometer, .readFailed))
        }
        #expect(boat.pipeline.rejections[.readFailed] == UInt64(count))
        #expect(boat.payloads(.magnetometerStatus) == (count == 600 ? ["online", "offline"] : ["online"]))
        boat.rest(Body(heading: 60), seconds: 0.1)
        #expect(boat.payloads(.magnetometerStatus).last == "online")
        #expect(boat.number("value", of: .headingMagnetic) == 60)
    }

    @Test("a lost device is offline at once, and says why")
    func lost() {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: 60), seconds: 1)
        boat.take(.lost(.magnetometer, reason: "unplugged"))
        #expect(boat.payloads(.magnetometerStatus) == ["online", "offline"])
        #expect(boat.pipeline.sources.magnetometer.state == .offline(reason: "unplugged"))
    }

    @Test("a step of the wall clock by ten years either way takes no source offline", arguments: [-10, 10])
    func clockStep(years: Int) {
        var boat = Boat(Boat.calibrated())
        boat.take(.clock(UTCTime(year: 2026, month: 11, day: 30)))
        boat.rest(Body(heading: 60), seconds: 2)
        let before = boat.count(.headingMagnetic)
        boat.take(.clock(UTCTime(year: 2026 + years, month: 11, day: 30)))
        // Nothing pauses: 5 messages a second as before.
        for step in 0..<40 { boat.rest(Body(heading: 60 + Double(step)), seconds: 0.05) }
        #expect((9...11).contains(boat.count(.headingMagnetic) - before))
        #expect(boat.payloads(.magnetometerStatus) == ["online"])
    }

    @Test("a fix, then mode 1: gps goes offline after the stale time")
    func lostFix() {
        var boat = Boat()
        boat.fix(50.3, -4.2)
        #expect(boat.payloads(.gpsStatus) == ["online"])
        for _ in 0..<6 {
            boat.wait(.seconds(1))
            boat.take(.fix(GpsFix(mode: .none)))
        }
        #expect(boat.payloads(.gpsStatus) == ["online", "offline"])
    }

    @Test("a position alone is a position: speed and course are unknown, not 0")
    func positionOnly() {
        var boat = Boat()
        boat.fix(50.3, -4.2)
        #expect(boat.member("latitude", of: .position) == "50.3000000")
        #expect(boat.member("longitude", of: .position) == "-4.2000000")
        #expect(boat.member("value", of: .speed) ?? "null" == "null")
        #expect(boat.member("value", of: .course) ?? "null" == "null")
    }

    @Test("an unset clock gives no time rather than a wrong one")
    func unsetClock() {
        var boat = Boat(Boat.calibrated())
        boat.take(.clock(UTCTime(year: 1970, month: 1, day: 1)))
        boat.rest(Body(heading: 60), seconds: 0.2)
        #expect(boat.member("time", of: .headingMagnetic) == "null")
        boat.fix(50.3, -4.2, time: UTCTime(rfc3339: "2026-11-30T12:00:00Z"))
        boat.rest(Body(heading: 90), seconds: 1)
        #expect(boat.member("time", of: .headingMagnetic)?.hasPrefix("\"2026-11-30T12:00:0") == true)
    }
}
