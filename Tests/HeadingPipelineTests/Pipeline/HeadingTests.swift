import HeadingPipeline
import Testing

@Suite("From sensors to a heading")
struct HeadingTests {
    @Test(
        "a heeled vessel's heading, with roll and pitch",
        arguments: [(60.0, 20.0, 0.0), (60, 20, 10), (355, -25, -5), (0, 0, 0), (180, 30, 8)])
    func heading(heading: Double, roll: Double, pitch: Double) throws {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: heading, roll: roll, pitch: pitch), seconds: 3)
        let magnetic = try #require(boat.number("value", of: .headingMagnetic))
        #expect(abs(Angle.shortest(from: .degrees(heading), to: .degrees(magnetic)).degrees) <= 0.051)
        #expect(try #require(boat.number("value", of: .roll)) == roll)
        #expect(try #require(boat.number("value", of: .pitch)) == pitch)
        #expect(boat.member("quality", of: .headingMagnetic) == "\"good\"")
    }

    @Test("turning the body about the vertical by x turns the heading by x", arguments: [0.0, 90, 200, 359])
    func turning(heading: Double) throws {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: heading), seconds: 1)
        #expect(boat.number("value", of: .heading) == heading)
    }

    @Test("the board's mounting is taken out: driver's matrix first, then axes")
    func mounting() throws {
        // The chip sits turned by 90° clockwise seen from above on the board (its x points to the board's -y,
        // starboard), and the driver says so: board = M · chip, M = (0 1 0; -1 0 0; 0 0 1).
        var boat = Boat(Boat.calibrated())
        let matrix = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
        boat.take(
            .opened(
                .magnetometer,
                SensorDescription(identity: "x@1", name: "x", mountMatrix: matrix, mode: "polled", rate: 20)))
        // Heading 30 at H 20, Z 40, board frame x forward, y port, z up: (17.32, 10, -40); chip = M⁻¹ · board.
        let chip = Vector3(-10, 17.3205, -40)
        for _ in 0..<10 {
            boat.wait(.milliseconds(50))
            boat.take(.sample(SensorSample(source: .magnetometer, vector: chip)))
        }
        #expect(boat.number("value", of: .headingMagnetic) == 30)
    }

    @Test("the operator's mount matrix takes the place of a driver's that is the identity and wrong")
    func operatorsMatrix() {
        // As above, the chip turned by 90°, but the driver knows nothing of it.
        let matrix = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
        var boat = Boat(Boat.calibrated { $0.magnetometer.sensor.mountMatrix = matrix })
        boat.take(
            .opened(
                .magnetometer,
                SensorDescription(
                    identity: "x@1", name: "x", mountMatrix: .identity, mode: "polled", rate: 20)))
        for _ in 0..<10 {
            boat.wait(.milliseconds(50))
            boat.take(.sample(SensorSample(source: .magnetometer, vector: Vector3(-10, 17.3205, -40))))
        }
        #expect(boat.number("value", of: .headingMagnetic) == 30)
    }

    @Test("magnetometer and accelerometer each have their own mounting")
    func separateMountings() {
        // Magnetometer mounted parts down, rolled over x: body = +x +y +z.
        var boat = Boat(Boat.calibrated { $0.magnetometer.sensor.axes = .identity })
        let body = Body(heading: 123, roll: 15, pitch: 5)
        for _ in 0..<60 {
            boat.wait(.milliseconds(50))
            boat.accelerometer(body.specificForce)
            boat.take(.sample(SensorSample(source: .magnetometer, vector: body.field())))
        }
        #expect(boat.number("value", of: .headingMagnetic) == 123)
    }

    @Test("the same sample twice is not rotated twice")
    func repeated() {
        var boat = Boat(Boat.calibrated())
        let body = Body(heading: 60, roll: 20)
        boat.rest(body, seconds: 2)
        for _ in 0..<5 { boat.magnetometer(body.field()) }
        #expect(boat.number("value", of: .headingMagnetic) == 60)
    }

    @Test("hard and soft iron are taken out")
    func calibration() {
        let soft = Matrix3(Vector3(1.1, 0.05, 0), Vector3(0.05, 0.9, 0), Vector3(0, 0, 1))
        var boat = Boat(
            Boat.calibrated {
                $0.magnetometer.hardIron = Vector3(12, -30, 8)
                $0.magnetometer.softIron = soft
            })
        let sensor = Settings.partsUp * Body(heading: 250).field()
        // raw = soft⁻¹ · field + hard; the 2×2 block's inverse by hand: 1 / 0.9875 · (0.9, -0.05; -0.05, 1.1).
        let raw = Vector3(
            (0.9 * sensor.x - 0.05 * sensor.y) / 0.9875 + 12,
            (-0.05 * sensor.x + 1.1 * sensor.y) / 0.9875 - 30,
            sensor.z + 8)
        for _ in 0..<20 {
            boat.wait(.milliseconds(50))
            boat.take(.sample(SensorSample(source: .magnetometer, vector: raw)))
        }
        #expect(boat.number("value", of: .headingMagnetic) == 250)
    }

    @Test("without a calibration the heading says so and its accuracy is at least 60 degrees")
    func uncalibrated() throws {
        var boat = Boat(Boat.calibrated { $0.magnetometer.hardIron = nil })
        boat.rest(Body(heading: 60), seconds: 2)
        #expect(boat.member("quality", of: .headingMagnetic) == "\"uncalibrated\"")
        #expect(try #require(boat.number("accuracy", of: .headingMagnetic)) >= 60)
    }

    @Test("without an accelerometer the assumed tilt is in the accuracy: 2.18 degrees for each at dip 65.3")
    func unseenTilt() throws {
        func accuracy(tilt: Double) throws -> Double {
            var boat = Boat(
                Boat.calibrated {
                    $0.heading.assumedTilt = .degrees(tilt)
                    $0.heading.alignmentUncertainty = .zero
                    $0.magnetometer.calibrationResidual = .zero
                })
            for _ in 0..<20 {
                boat.wait(.milliseconds(50))
                boat.magnetometer(Body(heading: 0).field())
            }
            return try #require(boat.number("accuracy", of: .headingMagnetic))
        }
        // 1.96 sigma, tan(65.3°) = 2.174.
        #expect(abs(try accuracy(tilt: 1) - 1.96 * 2.174) < 0.1)
        #expect(abs(try accuracy(tilt: 5) - 1.96 * 10.87) < 0.3)
    }

    /// Dips of 65.3° (Plymouth) and 86.63° (Resolute): atan(tan(dip) · sin(1°)) are 2.17° and 16.5°.
    @Test(
        "a degree of roll that no accelerometer sees is an error of the heading inside its accuracy",
        arguments: [(65.3, 2.17), (86.63, 16.5)])
    func unseenRoll(dip: Double, error: Double) throws {
        var boat = Boat(
            Boat.calibrated {
                $0.heading.assumedTilt = .degrees(1)
                $0.heading.alignmentUncertainty = .zero
                $0.magnetometer.calibrationResidual = .zero
            })
        let field = Vector3(Angle.degrees(dip).cosine, 0, Angle.degrees(dip).sine) * 50
        for _ in 0..<20 {
            boat.wait(.milliseconds(50))
            boat.magnetometer(Body(heading: 0, roll: 1).field(field))
        }
        let shown = try #require(boat.number("value", of: .headingMagnetic))
        #expect(abs(Angle.shortest(from: .zero, to: .degrees(shown)).degrees.magnitude - error) <= 0.06)
        // 1.96 sigma, but for a dip that seems a little less to who believes to be level.
        #expect(try #require(boat.number("accuracy", of: .headingMagnetic)) >= 1.9 * error)
    }

    @Test("a bow raised by 80 degrees makes the accuracy much worse, by 90 there is no heading")
    func steep() throws {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: 60), seconds: 2)
        let level = try #require(boat.number("accuracy", of: .headingMagnetic))
        boat.rest(Body(heading: 60, pitch: 80), seconds: 3)
        #expect(try #require(boat.number("accuracy", of: .headingMagnetic)) > 2 * level)
        #expect(boat.member("quality", of: .headingMagnetic) != "\"good\"")
        let count = boat.count(.headingMagnetic)
        boat.rest(Body(heading: 60, pitch: 90), seconds: 1)
        #expect(boat.count(.headingMagnetic) <= count + 2)
        #expect(boat.pipeline.rejections[.gimbal] > 0)
        #expect(!boat.messages.contains { $0.payload.contains("nan") || $0.payload.contains("inf") })
    }

    @Test("one pinned axis is refused and counted, five in a row make the quality bad")
    func saturated() {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: 60), seconds: 1)
        for _ in 0..<5 {
            boat.wait(.milliseconds(50))
            boat.magnetometer(Vector3(3276.7, 0, 40), saturated: true)
        }
        #expect(boat.pipeline.rejections[.saturated] == 5)
        #expect(boat.member("quality", of: .headingMagnetic) == "\"bad\"")
    }

    @Test("an all-zero field is no heading")
    func zeroField() {
        var boat = Boat(Boat.calibrated())
        boat.magnetometer(.zero)
        #expect(boat.last(.headingMagnetic) == nil)
        #expect(boat.pipeline.rejections[.zeroField] == 1)
    }

    @Test("a strength 10 or 100 times off is a wrong scale, with the ratio", arguments: [0.01, 0.1, 10, 100])
    func scaleSuspect(factor: Double) throws {
        var boat = Boat(Boat.calibrated())
        boat.fix(50.37, -4.14, time: UTCTime(year: 2026, month: 11, day: 30))
        boat.rest(Body(heading: 60), seconds: 3, field: Body.plymouth * factor)
        let ratio = try #require(boat.number("scale_suspect", of: .field))
        #expect(abs(ratio / factor - 1) < 0.02)
        #expect(boat.member("quality", of: .headingMagnetic) == "\"bad\"")
        #expect(boat.member("interference", of: .field) == "false")
    }

    @Test("a strength 25 % over the model's for 2 s is interference, and the accuracy grows by atan(dB/H)")
    func interference() throws {
        var boat = Boat(Boat.calibrated())
        boat.fix(50.37, -4.14, time: UTCTime(year: 2026, month: 11, day: 30))
        boat.rest(Body(heading: 60), seconds: 5)
        let before = try #require(boat.number("accuracy", of: .headingMagnetic))
        #expect(boat.member("interference", of: .field) == "false")
        boat.rest(Body(heading: 60), seconds: 2, field: Body.plymouth * 1.25)
        #expect(boat.member("interference", of: .field) == "true")
        // dB = 0.25 · 48.64 µT over H = 1.25 · 20.3 µT: 25.6°.
        #expect(try #require(boat.number("accuracy", of: .headingMagnetic)) >= before + 25.6)
        #expect(boat.member("quality", of: .headingMagnetic) == "\"bad\"")
        boat.rest(Body(heading: 60), seconds: 5)
        #expect(boat.member("interference", of: .field) == "false")
    }

    @Test("the rate of turn has the sign of a turn to starboard, with and without a gyroscope")
    func rateOfTurn() throws {
        var withGyroscope = Boat(Boat.calibrated())
        var without = Boat(Boat.calibrated())
        for step in 0..<200 {
            // 3 degrees a second to starboard: 180 a minute.
            let body = Body(heading: Double(step) * 0.15)
            for boat in [0, 1] {
                var chosen = boat == 0 ? withGyroscope : without
                chosen.wait(.milliseconds(50))
                chosen.accelerometer(body.specificForce)
                if boat == 0 { chosen.gyroscope(Vector3(0, 0, 3 * .pi / 180)) }
                chosen.magnetometer(body.field())
                if boat == 0 { withGyroscope = chosen } else { without = chosen }
            }
        }
        #expect(abs(try #require(withGyroscope.number("value", of: .rateOfTurn)) - 180) < 1)
        #expect(abs(try #require(without.number("value", of: .rateOfTurn)) - 180) < 5)
    }

    @Test("a heading of the device's own is taken as it is")
    func deviceCompass() throws {
        var boat = Boat()
        for _ in 0..<10 {
            boat.wait(.milliseconds(100))
            boat.take(.compass(CompassHeading(magnetic: .degrees(271.5))))
        }
        #expect(boat.number("value", of: .headingMagnetic) == 271.5)
        #expect(boat.member("quality", of: .headingMagnetic) != "\"uncalibrated\"")
    }
}
