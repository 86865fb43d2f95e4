import HeadingPipeline
import Testing

@Suite("A line of a recording")
struct RecordingLineTests {
    private func line(_ reading: Reading) -> String {
        var bytes: [UInt8] = []
        bytes.appendLine(reading)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func read(_ text: String) throws(RecordingFault) -> Reading {
        let result = Array(text.utf8).withUnsafeBytes { bytes in
            Result { () throws(RecordingFault) in try Reading(line: bytes) }
        }
        return try result.get()
    }

    private static let fullFix: GpsFix = {
        var fix = GpsFix(mode: .threeDimensional)
        fix.device = "/dev/tty \"ACM0\"\\"
        fix.time = UTCTime(nanoseconds: 1_796_049_642_833_252_623)
        fix.position = GeoPosition(latitude: .degrees(-50.3), longitude: .degrees(-4.2))
        fix.altitude = .meters(-0.1)
        fix.ellipsoidHeight = .meters(1.0 / 3)
        fix.speed = .metersPerSecond(2.7878)
        fix.course = .degrees(359.99)
        fix.horizontalError = .meters(3.675_000_000_000_000_3)
        fix.speedError = .metersPerSecond(0.098)
        fix.courseError = .degrees(2)
        return fix
    }()

    private static let matrix = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0.1 + 0.2), Vector3(0, 0, 1))

    static let contents: [Reading.Content] =
        Source.allCases.flatMap { source -> [Reading.Content] in
            [
                .sample(SensorSample(source: source, vector: Vector3(1.5, -0.0, 1.0 / 3))),
                .sample(
                    SensorSample(
                        source: source, vector: Vector3(1e-300, 6e22, .leastNonzeroMagnitude),
                        isSaturated: true)),
                .sample(SensorSample(source: source, vector: Vector3(.infinity, -.infinity, 0))),
                .opened(source, nil), .lost(source, reason: ""), .stored(source, []),
                .lost(source, reason: "a \"quote\", a \\, a line\nbreak, a \u{0}, Möwe, 船, \u{7f}"),
                .stored(source, Array(0...255)),
            ]
        } + Rejection.allCases.map { .refused(.gyroscope, $0) }
        + [
            .compass(CompassHeading(magnetic: .degrees(118.6))),
            .fix(GpsFix(mode: .none)), .fix(GpsFix(mode: .twoDimensional)), .fix(fullFix),
            .satellites(SatelliteReport()),
            .satellites(SatelliteReport(device: "a b=c", used: 0, visible: -1)),
            .satellites(SatelliteReport(used: .max, visible: .min)),
            .opened(
                .magnetometer,
                SensorDescription(
                    identity: "hmc5883l@1-001e", name: "", mountMatrix: matrix, mode: "buffer", rate: 75)),
            .opened(
                .gyroscope,
                SensorDescription(
                    identity: "a", name: "b", mountMatrix: matrix, mode: "log", rate: 28.6,
                    sampling: .blockMean)),
            .opened(
                .gyroscope,
                SensorDescription(
                    identity: "a", name: "b", mountMatrix: nil, mode: "log", rate: 28.6,
                    sampling: .blockMean)),
            .opened(
                .gps,
                SensorDescription(identity: "x", name: "y", mountMatrix: nil, mode: "simulated", rate: 0.1)),
            .clock(UTCTime(nanoseconds: 0)), .clock(UTCTime(nanoseconds: .min)),
            .clock(UTCTime(nanoseconds: .max)),
        ] + commands

    private static let commands: [Reading.Content] =
        [
            .destination(nil), .steer(nil), .steer(OrderedCourse(.degrees(359.9))), .resetTrip,
            .reference(.trueNorth),
            .reference(.magnetic), .smoothing(.zero), .smoothing(.seconds(1.0 / 3)),
            .headingOffset(.degrees(-180)),
            .destination(Waypoint(position: place(50.3, -4.2))),
            .destination(Waypoint(position: place(-50.3, -179.9), name: "Möwe \"1\"")),
        ].map { Reading.Content.command($0) } + [
            .trip(TripTotals()),
            .trip(
                TripTotals(
                    distance: .meters(1.0 / 3), maximumSpeed: .metersPerSecond(7.7),
                    since: UTCTime(nanoseconds: -1))),
        ]

    @Test("gives every kind of reading back as it was", arguments: contents)
    func roundTrip(content: Reading.Content) throws {
        for nanoseconds in [0, 1, 6_038_513_806_739, Int64.max, .min] {
            let reading = Reading(at: Instant(nanoseconds: nanoseconds), content)
            let text = line(reading)
            #expect(text.last == "\n" && text.dropLast().allSatisfy { $0 != "\n" })
            let again = try read(String(text.dropLast()))
            #expect(again == reading)
            // Equal numbers may differ in the sign of a zero; their text does not.
            #expect(line(again) == text)
        }
    }

    @Test("keeps that a number is none")
    func notANumber() throws {
        let sample = SensorSample(source: .magnetometer, vector: Vector3(.nan, -.nan, 1))
        let again = try read(String(line(Reading(at: Instant(nanoseconds: 5), .sample(sample))).dropLast()))
        guard case .sample(let read) = again.content else { return #expect(Bool(false)) }
        #expect(read.vector.x.isNaN && read.vector.y.isNaN && read.vector.z == 1)
    }

    /// As docs/recording.md shows them.
    @Test(
        "is written as documented",
        arguments: [
            (
                .sample(
                    SensorSample(source: .magnetometer, vector: Vector3(12.5, -3.25, 40), isSaturated: true)),
                "7 mag 12.5 -3.25 40 saturated\n"
            ),
            (.lost(.gps, reason: "no \"device\"\n"), #"7 lost gps "no \"device\"\x0a""# + "\n"),
            (.refused(.accelerometer, .readFailed), "7 refused acc read_failed\n"),
            (.opened(.gyroscope, nil), "7 opened gyr\n"),
            (.clock(UTCTime(year: 1970, month: 1, day: 2)), "7 clock 86400000000000\n"),
            (.satellites(SatelliteReport(used: 8)), "7 sat used=8\n"),
            (.command(.destination(nil)), "7 command destination\n"),
            (
                .command(.destination(Waypoint(position: place(0, 0), name: "Null"))),
                "7 command destination lat=0 lon=0 name=\"Null\"\n"
            ),
            (.command(.steer(OrderedCourse(.radians(1.5)))), "7 command steer course=1.5\n"),
            (
                .command(.steer(OrderedCourse(.radians(1.5), from: .trueNorth))),
                "7 command steer course=1.5 true_north\n"
            ),
            (.command(.reference(.magnetic)), "7 command magnetic_north\n"),
            (.command(.resetTrip), "7 command trip_reset\n"),
            (.command(.smoothing(.seconds(2))), "7 command smoothing 2000000000\n"),
            (.command(.headingOffset(.radians(-0.5))), "7 command heading_offset -0.5\n"),
            (
                .trip(TripTotals(distance: .meters(1.5), maximumSpeed: .metersPerSecond(2))),
                "7 trip distance=1.5 max_speed=2\n"
            ),
        ] as [(Reading.Content, String)])
    func documented(content: Reading.Content, text: String) {
        #expect(line(Reading(at: Instant(nanoseconds: 7), content)) == text)
    }

    @Test(
        "is refused with the reason",
        arguments: [
            ("", .noTime), ("mag 1 2 3", .noTime), ("1.5 mag 1 2 3", .noTime), (" 1 mag 1 2 3", .noTime),
            ("9223372036854775808 mag 1 2 3", .noTime), ("- mag 1 2 3", .noTime), ("1", .unknownKind),
            ("1 magnet 1 2 3", .unknownKind), ("1  mag 1 2 3", .unknownKind), ("1\tmag 1 2 3", .noTime),
            ("1 mag 1 2", .number), ("1 mag 1 2 x", .number), ("1 mag 1 2 3 4", .surplus),
            ("1 mag 1 2 3 ", .surplus), ("1 mag 1 2 3 saturatedd", .surplus), ("1 mag 1  2 3", .number),
            ("1 opened", .unknownSource), ("1 opened sonar", .unknownSource), ("1 opened gps x", .surplus),
            (#"1 opened mag identity="a""#, .text),
            (#"1 opened mag identity="a" name="b" mode="c""#, .number),
            (#"1 opened mag identity="a" name="b" mode="c" rate=1 matrix=1 0 0"#, .number),
            ("1 refused gps tired", .unknownReason), ("1 refused gps", .unknownReason),
            ("1 lost gps", .text), ("1 lost gps why", .text), (#"1 lost gps "open"#, .text),
            (#"1 lost gps "\q""#, .text), (#"1 lost gps "\x0g""#, .text), (#"1 lost gps "\xff""#, .text),
            (#"1 lost gps "a" b"#, .surplus), (#"1 lost gps "\"#, .text), (#"1 lost gps "\""#, .text),
            ("1 fix", .number), ("1 fix mode=4", .number), ("1 fix mode=3 lat=0.5", .place),
            ("1 fix mode=3 lat=9 lon=0", .place), ("1 fix mode=3 lat=nan lon=0", .place),
            ("1 fix mode=3 speed=1 lat=0 lon=0", .surplus), ("1 fix mode=3 mode=3", .surplus),
            ("1 command", .unknownCommand), ("1 command helm", .unknownCommand),
            ("1 command steer course=nan", .number),
            ("1 command steer course=1 north", .surplus), ("1 command steer true_north", .surplus),
            ("1 command steer course=7", .number), ("1 command steer 1.5", .surplus),
            ("1 command destination lat=0", .place), (#"1 command destination name="a""#, .place),
            ("1 command smoothing", .number), ("1 command smoothing -1", .number),
            ("1 command smoothing 60000000001", .number), ("1 command heading_offset inf", .number),
            ("1 trip", .number), ("1 trip distance=-1 max_speed=0", .number),
            ("1 trip distance=inf max_speed=0", .number),
            ("1 clock", .number), ("1 clock 1.5", .number), ("1 sat used=", .number), ("1 compass", .number),
        ] as [(String, RecordingFault)])
    func refused(text: String, fault: RecordingFault) {
        #expect(throws: fault) { try read(text) }
    }

    @Test(
        "a fix or description with a number that is none is refused: no source lets one through",
        arguments: [
            "5 fix mode=3 lat=0.5 lon=0.5 height=nan", "5 fix mode=3 lat=0.5 lon=0.5 speed=inf",
            "5 fix mode=3 lat=0.5 lon=0.5 eph=-inf", "5 fix mode=3 lat=nan lon=0.5",
            "5 opened mag identity=\"m\" name=\"m\" mode=\"polled\" rate=nan",
        ])
    func notFinite(text: String) {
        #expect(throws: RecordingFault.self) { try read(text) }
    }
}
