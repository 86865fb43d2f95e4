import HeadingPipeline
import Testing

/// How many messages leave the whole pipeline, from samples to payloads.
@Suite("Number of messages")
struct MessageRateTests {
    private static let headings: [Topic] = [.heading, .headingMagnetic, .headingTrue]

    /// An hour in the harbour at 20 Hz: a magnetometer and an accelerometer that make 0.3° of noise in the
    /// heading, and a fix a second.
    private func mooredHour(
        _ settings: Settings, from start: Body, hasGyroscope: Bool = false, seed: UInt64
    ) -> Boat {
        var boat = Boat(settings)
        var random = SplitMix64(state: seed)
        let time = UTCTime(year: 2026, month: 12, day: 1)
        for tick in 0..<72_000 {
            boat.wait(.milliseconds(50))
            if tick % 20 == 0 { boat.fix(50.37, -4.14, time: time + .seconds(Double(tick / 20))) }
            var body = start
            body.heading += 0.3 * random.gaussian()
            boat.accelerometer(body.specificForce)
            if hasGyroscope { boat.gyroscope(Self.restingGyroscope(&random)) }
            boat.magnetometer(body.field())
        }
        return boat
    }

    /// rad/s: an offset of some tenths of a degree a second, and as much noise.
    private static func restingGyroscope(_ random: inout SplitMix64) -> Vector3 {
        Vector3(
            0.004 + 0.002 * random.gaussian(), -0.006 + 0.002 * random.gaussian(),
            0.005 + 0.002 * random.gaussian())
    }

    @Test(
        "moored with 0.3 degrees of noise, an hour is 65 messages at most on each topic of a heading",
        arguments: [(0.0, 0.0, false), (123.4, 1, true)])
    func moored(heading: Double, residual: Double, hasGyroscope: Bool) {
        var settings = Boat.calibrated()
        settings.heading.smoothing = Settings().heading.smoothing
        settings.magnetometer.calibrationResidual = .microtesla(residual)
        let boat = mooredHour(
            settings, from: Body(heading: heading), hasGyroscope: hasGyroscope, seed: 7)
        for topic in Self.headings {
            #expect((59...65).contains(boat.count(topic)), "\(topic): \(boat.count(topic))")
        }
    }

    @Test("moored and not calibrated it is no more")
    func mooredUncalibrated() {
        let boat = mooredHour(Settings(), from: Body(heading: 200), seed: 3)
        for topic in Self.headings {
            #expect((59...65).contains(boat.count(topic)), "\(topic): \(boat.count(topic))")
        }
    }

    @Test("who asks for ten a second gets them while she turns")
    func tenASecond() {
        var boat = Boat(
            Boat.calibrated {
                $0.publish.rate = 10
                $0.publish.deadband = .degrees(0.1)
            })
        for tick in 0..<1200 {
            boat.wait(.milliseconds(50))
            boat.magnetometer(Body(heading: Double(tick) * 0.5).field())
        }
        #expect((595...601).contains(boat.count(.headingMagnetic)))
    }

    @Test("from 0 to 45 in 200 ms and then still, with a deadband of 1: 45 is out within a second")
    func lastOfAMovement() throws {
        var boat = Boat(
            Boat.calibrated {
                $0.publish.rate = 1
                $0.publish.deadband = .degrees(1)
            })
        boat.rest(Body(heading: 0), seconds: 5)
        for step in 1...4 {
            boat.wait(.milliseconds(50))
            boat.magnetometer(Body(heading: Double(step) * 11.25).field())
        }
        let arrival = boat.now
        boat.rest(Body(heading: 45), seconds: 5)
        let message = try #require(
            boat.messages.first { $0.topic == .headingMagnetic && $0.payload.hasPrefix(#"{"value":45.0,"#) })
        #expect(message.at - arrival <= .seconds(1))
    }
}
