import HeadingPipeline
import Testing

@Suite("Refused readings")
struct RefusalTests {
    /// Along each axis of each sensor, and as a heading of the device's own.
    private static func spoilt(_ value: Double) -> [Reading.Content] {
        let vectors = [Vector3(value, 1, 1), Vector3(1, value, 1), Vector3(1, 1, value)]
        let samples = [Source.magnetometer, .accelerometer, .gyroscope].flatMap { source in
            vectors.map { Reading.Content.sample(SensorSample(source: source, vector: $0)) }
        }
        return samples + [.compass(CompassHeading(magnetic: .degrees(value)))]
    }

    @Test(
        "what is not finite is refused, counted and published nowhere",
        arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(value: Double) {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: 60), seconds: 1)
        for content in Self.spoilt(value) { boat.take(content) }
        #expect(boat.pipeline.rejections[.notFinite] == 10)
        for step in 0..<20 { boat.rest(Body(heading: 60 + Double(step)), seconds: 0.05) }
        #expect(abs((boat.number("value", of: .headingMagnetic) ?? 0) - 79) <= 4)
        #expect(!boat.messages.contains { $0.payload.contains(#""value":null"#) })
    }

    /// The kernel's counts have 64 bits, and a scale is any number.
    @Test("numbers whose squares overflow leave nothing behind", arguments: [1e160, 1e300])
    func huge(value: Double) {
        var boat = Boat(Boat.calibrated())
        for _ in 0..<10 {
            boat.wait(.milliseconds(50))
            boat.accelerometer(Vector3(0, value, -value))
            boat.gyroscope(Vector3(0, 0, value))
            boat.magnetometer(Vector3(value, value, value))
        }
        for _ in 0..<60 {
            boat.rest(Body(heading: 60, roll: 10), seconds: 0.05)
            boat.gyroscope(Vector3(0, 0, 0))
        }
        #expect(boat.number("value", of: .headingMagnetic) == 60)
        #expect(boat.number("value", of: .roll) == 10)
        #expect(boat.number("value", of: .rateOfTurn) == 0)
        #expect(boat.member("quality", of: .headingMagnetic) == "\"good\"")
    }

    /// 1 T; 10 000 g; 160 turns a second: finite, and no sensor's.
    @Test("more than any sensor of the kind measures is refused, counted and moves nothing")
    func outOfRange() {
        var boat = Boat(Boat.calibrated())
        for step in 0..<40 {
            boat.rest(Body(heading: 60), seconds: 0.05)
            boat.gyroscope(Vector3(0, 0, 0))
            guard step == 20 else { continue }
            boat.magnetometer(Vector3(0, 0, 1e6))
            boat.accelerometer(Vector3(1e5, 0, 0))
            boat.gyroscope(Vector3(0, 0, 1000))
        }
        #expect(boat.pipeline.rejections[.outOfRange] == 3)
        #expect(boat.number("value", of: .headingMagnetic) == 60)
        #expect(boat.number("value", of: .roll) == 0)
        #expect(boat.number("value", of: .rateOfTurn) == 0)
        #expect(boat.member("quality", of: .headingMagnetic) == "\"good\"")
    }

    @Test("a triple that stands still while the gyroscope turns by 50°: refused, and the heading bad")
    func frozen() {
        var boat = Boat(Boat.calibrated())
        let body = Body(heading: 60)
        for tick in 0..<260 {
            boat.wait(.milliseconds(50))
            boat.accelerometer(body.specificForce)
            boat.gyroscope(Vector3(0, 0, 5 * .pi / 180))
            boat.magnetometer(body.field())
            if tick == 30 { #expect(boat.pipeline.rejections[.frozen] == 0) }
        }
        #expect(boat.pipeline.rejections[.frozen] > 0)
        #expect(boat.member("quality", of: .headingMagnetic) == "\"bad\"")
        boat.wait(.seconds(3))
        #expect(boat.payloads(.magnetometerStatus) == ["online", "offline"])
        #expect(
            boat.pipeline.sources.magnetometer.state == .offline(reason: "no good reading for 3.0 s: frozen"))
    }

    @Test("the same without rotation is a boat at rest")
    func resting() {
        var boat = Boat(Boat.calibrated())
        for _ in 0..<400 {
            boat.rest(Body(heading: 60), seconds: 0.05)
            boat.gyroscope(Vector3(0, 0, 0.001))
        }
        #expect(boat.pipeline.rejections[.frozen] == 0)
        #expect(boat.payloads(.magnetometerStatus) == ["online"])
    }

    @Test("one fix 40 km away is dropped and counted, three in a row there are believed")
    func wildFix() {
        var boat = Boat()
        let time = UTCTime(year: 2026, month: 12, day: 1)
        func fix(_ latitude: Double, _ second: Double) {
            boat.wait(.seconds(1))
            boat.fix(latitude, -4.2, time: time + .seconds(second))
        }
        for second in 0..<5 { fix(50.3, Double(second)) }
        fix(50.66, 5)
        #expect(boat.pipeline.rejections[.wildFix] == 1)
        #expect(boat.member("latitude", of: .position) == "50.3000000")
        fix(50.3, 6)
        for second in 7..<10 { fix(50.66, Double(second)) }
        #expect(boat.member("latitude", of: .position) == "50.6600000")
        #expect(boat.pipeline.rejections[.wildFix] == 3)
    }
}
