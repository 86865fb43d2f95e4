import HeadingPipeline
import Testing

@Suite("Saved calibration in the pipeline")
struct StoredCalibrationTests {
    private let hardIron = Vector3(30, -20, 10)

    private func file(_ sensor: String) -> [UInt8] {
        let record = CalibrationRecord(
            sensor: sensor, time: nil, place: nil,
            content: .magnetic(
                MagneticRecord(
                    calibration: MagneticCalibration(
                        hardIron: hardIron, softIron: .identity, residual: .microtesla(0.3)),
                    quality: .good, shape: .ellipsoid, strength: .microtesla(48.6), headingError: .degrees(1),
                    coverage: 1, samples: 400)))
        return Array(CalibrationArchive([record]).text.utf8)
    }

    private func description(_ identity: String) -> SensorDescription {
        SensorDescription(identity: identity, name: "x", mountMatrix: nil, mode: "polled", rate: 20)
    }

    /// At rest on 60°, behind the hard iron.
    private func rest(_ boat: inout Boat) {
        let body = Body(heading: 60)
        for _ in 0..<40 {
            boat.wait(.milliseconds(50))
            boat.accelerometer(body.specificForce)
            boat.magnetometer(body.field() + Settings.partsUp * hardIron)
        }
    }

    @Test("is applied to its own sensor")
    func applied() throws {
        var boat = Boat()
        boat.take(.opened(.magnetometer, description("a")))
        boat.take(.stored(.magnetometer, file("a")))
        rest(&boat)
        #expect(abs(try #require(boat.number("value", of: .headingMagnetic)) - 60) < 0.2)
        #expect(boat.member("quality", of: .headingMagnetic) == "\"good\"")
    }

    @Test("is never applied to another sensor, nor kept when another is opened")
    func otherSensor() {
        var boat = Boat()
        boat.take(.opened(.magnetometer, description("b")))
        boat.take(.stored(.magnetometer, file("a")))
        rest(&boat)
        #expect(boat.member("quality", of: .headingMagnetic) == "\"uncalibrated\"")
        boat.take(.opened(.magnetometer, description("a")))
        boat.take(.stored(.magnetometer, file("a")))
        #expect(boat.pipeline.calibrations.magnetic != nil)
        boat.take(.opened(.magnetometer, description("b")))
        #expect(boat.pipeline.calibrations.magnetic == nil)
    }

    @Test("the config's goes before it")
    func configured() {
        var settings = Settings()
        settings.magnetometer.hardIron = Vector3(1, 2, 3)
        var boat = Boat(settings)
        boat.take(.opened(.magnetometer, description("a")))
        boat.take(.stored(.magnetometer, file("a")))
        #expect(boat.pipeline.calibrations.magnetic?.hardIron == Vector3(1, 2, 3))
    }

    @Test(
        "a zero-byte or garbage file: a warning, uncalibrated, wide accuracy, no crash",
        arguments: [[], [1, 2, 0]])
    func garbage(bytes: [UInt8]) throws {
        var boat = Boat()
        boat.take(.opened(.magnetometer, description("a")))
        boat.take(.stored(.magnetometer, bytes))
        rest(&boat)
        #expect(boat.member("quality", of: .headingMagnetic) == "\"uncalibrated\"")
        #expect(try #require(boat.number("accuracy", of: .headingMagnetic)) >= 60)
        #expect(
            boat.pipeline.warnings.contains { if case .calibrationUnreadable = $0 { true } else { false } })
    }
}
