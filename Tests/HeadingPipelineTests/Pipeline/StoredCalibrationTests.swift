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

    // MARK: Level, alignment, deviation

    private func file(_ sensor: String, _ contents: [CalibrationRecord.Content]) -> [UInt8] {
        let records = contents.map {
            CalibrationRecord(sensor: sensor, time: nil, place: nil, content: $0)
        }
        return Array(CalibrationArchive(records).text.utf8)
    }

    private func restingBoat(_ body: Body, _ source: Source, _ contents: [CalibrationRecord.Content]) -> Boat
    {
        var boat = Boat(Boat.calibrated())
        boat.take(.opened(.magnetometer, description("m")))
        boat.take(.opened(.accelerometer, description("a")))
        boat.take(.stored(source, file(source == .magnetometer ? "m" : "a", contents)))
        boat.rest(body, seconds: 3)
        return boat
    }

    @Test(
        "alignment, then the deviation table, are added to the heading; what they may be off is in the accuracy"
    )
    func alignmentAndDeviation() throws {
        let table = DeviationTable(
            a: .zero, b: .degrees(4), c: .zero, d: .zero, e: .degrees(2), uncertainty: .degrees(3))
        let plain = restingBoat(Body(heading: 85), .magnetometer, [])
        let boat = restingBoat(
            Body(heading: 85), .magnetometer,
            [.alignment(Alignment(offset: .degrees(5), uncertainty: .zero)), .deviation(table)])
        // 85 + 5, and there 4 sin 90° + 2 cos 180° = 2.
        #expect(abs(try #require(boat.number("value", of: .headingMagnetic)) - 92) < 0.2)
        let accuracy = try #require(boat.number("accuracy", of: .headingMagnetic))
        let before = try #require(plain.number("accuracy", of: .headingMagnetic))
        let expected = (before * before + 5.88 * 5.88).squareRoot()
        #expect(abs(accuracy - expected) < 0.3)
    }

    @Test("a learned level makes a tilted sensor board's heading right")
    func level() throws {
        // The board lies 6° to port and 4° bow up in a boat on 60° that is level.
        let board = Body(heading: 60, roll: -6, pitch: 4)
        let tilt = CalibrationRecord.Content.level(LevelTilt(roll: .degrees(-6), pitch: .degrees(4)))
        let boat = restingBoat(board, .accelerometer, [tilt])
        #expect(abs(try #require(boat.number("value", of: .headingMagnetic)) - 60) < 0.2)
        #expect(abs(try #require(boat.number("value", of: .roll))) < 0.2)
        #expect(abs(try #require(boat.number("value", of: .pitch))) < 0.2)
    }

    @Test("a calibration that no longer fits is suspected after minutes, with the size")
    func suspect() {
        var boat = Boat(Boat.calibrated())
        boat.fix(50.3, -4.2, time: UTCTime(year: 2026, month: 12, day: 1))
        // 12 µT more of everything.
        boat.rest(Body(heading: 60), seconds: 240, field: Body.plymouth * 1.25)
        let texts = boat.pipeline.warnings.compactMap {
            if case .calibrationSuspect(let drift) = $0 { drift.text } else { nil }
        }
        #expect(texts.count == 1)
        #expect(texts.first?.contains("% off the model") == true)
    }
}
