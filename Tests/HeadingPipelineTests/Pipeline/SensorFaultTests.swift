import HeadingPipeline
import Testing

@Suite("Magnetometers that cannot be right")
struct SensorFaultTests {
    /// A boat at Plymouth that rests for 10 s and then circles at `speed` deg/s, 600° in all, heeled a little, with a gyroscope.
    /// `look` gets the boat and how far it has turned, in degrees.
    private func circle(
        _ distort: (Vector3) -> Vector3, hasGyroscope: Bool = true, at speed: Double = 10,
        look: (Boat, Double) -> Void = { _, _ in }
    ) -> Boat {
        var boat = Boat(Boat.calibrated())
        boat.fix(50.37, -4.14, time: UTCTime(year: 2026, month: 11, day: 30))
        for step in -200..<Int(600 / speed * 20) {
            boat.wait(.milliseconds(50))
            let turned = max(Double(step), 0) * speed / 20
            let body = Body(heading: turned, roll: 5)
            // About the vertical, seen from a body that is rolled by 5°: cos 5° = 0.9962, sin 5° = 0.0872.
            // With the least noise: one that repeats a reading is frozen.
            let noise = step.isMultiple(of: 2) ? 0.01 : -0.01
            let rate = ((step < 0 ? 0 : speed) + noise) * Double.pi / 180
            if hasGyroscope { boat.gyroscope(Vector3(0, 0.0872, 0.9962) * rate) }
            boat.accelerometer(body.specificForce)
            boat.magnetometer(distort(body.field()))
            look(boat, turned)
        }
        return boat
    }

    @Test("a right one is not suspected")
    func right() {
        let boat = circle { $0 }
        #expect(!boat.pipeline.warnings.contains(.axesSuspect))
        #expect(!boat.pipeline.warnings.contains(.polaritySuspect))
        #expect(boat.member("quality", of: .headingMagnetic) == "\"good\"")
    }

    @Test("a mirrored axis is found by the gyroscope", arguments: [0, 1])
    func mirrored(axis: Int) {
        let boat = circle { Vector3(axis == 0 ? -$0.x : $0.x, axis == 1 ? -$0.y : $0.y, $0.z) }
        #expect(boat.pipeline.warnings.contains(.axesSuspect))
        #expect(boat.member("quality", of: .headingMagnetic) == "\"bad\"")
    }

    static let wrongAxes: [Matrix3] = [
        .diagonal(Vector3(-1, 1, 1)), .diagonal(Vector3(1, -1, 1)),
        Matrix3(Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, 1)),
    ]

    @Test(
        "are never good on the way to being found: neither sensor is known to be the wrong one",
        arguments: wrongAxes, [10.0, 3, 1])
    func neverGood(axes: Matrix3, speed: Double) {
        var wrongAndGood = 0
        _ = circle({ axes * $0 }, at: speed) { boat, turned in
            let shown = boat.member("value", of: .headingMagnetic).flatMap(Double.init) ?? 0
            let error = Angle.shortest(from: .degrees(turned), to: .degrees(shown)).magnitude
            // A turn must have shown it.
            if turned > 30, error > .degrees(15), boat.member("quality", of: .headingMagnetic) == "\"good\"" {
                wrongAndGood += 1
            }
        }
        #expect(wrongAndGood == 0)
    }

    @Test("exchanged axes too")
    func exchanged() {
        let boat = circle { Vector3($0.y, $0.x, $0.z) }
        #expect(boat.pipeline.warnings.contains(.axesSuspect))
    }

    @Test("an upside-down polarity is found by the dip", arguments: [true, false])
    func inverted(hasGyroscope: Bool) {
        let boat = circle({ -$0 }, hasGyroscope: hasGyroscope)
        #expect(boat.pipeline.warnings.contains(.polaritySuspect))
        #expect(boat.member("quality", of: .headingMagnetic) == "\"bad\"")
    }

    @Test("zero on all axes, after good ones, is named and makes the last heading bad")
    func zero() {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: 60), seconds: 1)
        for _ in 0..<5 { boat.magnetometer(.zero) }
        #expect(boat.pipeline.warnings.contains(.zeroField))
        #expect(boat.member("quality", of: .headingMagnetic) == "\"bad\"")
    }

    @Test("one value for over 10 s while the gyroscope turns is named")
    func frozen() {
        let boat = circle { _ in Body(heading: 0).field() }
        #expect(boat.pipeline.warnings.contains(.frozen))
        #expect(boat.member("quality", of: .headingMagnetic) == "\"bad\"")
    }

    @Test("a steady slow turn of five minutes stays within 3 degrees")
    func slowTurn() throws {
        var boat = Boat(Boat.calibrated())
        for step in 0..<6000 {
            boat.wait(.milliseconds(50))
            let body = Body(heading: Double(step) * 0.05)
            boat.gyroscope(Vector3(0.002, -0.003, 0.0175 + 0.004))
            boat.accelerometer(body.specificForce)
            boat.magnetometer(body.field())
        }
        let heading = try #require(boat.number("value", of: .headingMagnetic))
        #expect(abs(Angle.shortest(from: .degrees(5999 * 0.05), to: .degrees(heading)).degrees) < 3)
    }
}
