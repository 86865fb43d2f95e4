import HeadingPipeline
import Testing

@Suite("Calibration archive")
struct CalibrationArchiveTests {
    private func record(_ x: Double, kind: CalibrationRecord.Kind = .magnetic) -> CalibrationRecord {
        let content: CalibrationRecord.Content
        switch kind {
        case .magnetic: content = .magnetic(magnetic(x))
        case .level: content = .level(LevelTilt(roll: .degrees(x), pitch: .degrees(-1.25)))
        case .alignment: content = .alignment(Alignment(offset: .degrees(x), uncertainty: .degrees(1)))
        case .deviation:
            content = .deviation(
                DeviationTable(
                    a: .degrees(x), b: .degrees(4), c: .zero, d: .zero, e: .degrees(2),
                    uncertainty: .degrees(0.5)))
        }
        return CalibrationRecord(
            sensor: "hmc5883l@1-001e", time: UTCTime(year: 2026, month: 11, day: 30),
            place: GeoPosition(latitude: .degrees(50.3), longitude: .degrees(-4.2)), content: content)
    }

    private func magnetic(_ x: Double) -> MagneticRecord {
        MagneticRecord(
            calibration: MagneticCalibration(
                hardIron: Vector3(x, -25, 60.5),
                softIron: Matrix3(Vector3(1, 0.01, 0), Vector3(0.01, 0.9, 0), Vector3(0, 0, 1.1)),
                residual: .microtesla(0.4)),
            quality: .good, shape: .ellipsoid, strength: .microtesla(48.6), headingError: .degrees(1.25),
            coverage: 0.97, samples: 400)
    }

    @Test("reads back what it wrote, for every kind", arguments: CalibrationRecord.Kind.allCases)
    func roundTrip(kind: CalibrationRecord.Kind) throws {
        var archive = CalibrationArchive()
        archive.add(record(1.5, kind: kind))
        archive.add(record(-2.25, kind: kind))
        let again = try CalibrationArchive(parsing: Array(archive.text.utf8))
        #expect(again.records.count == 2)
        #expect(again.text == archive.text)
        #expect(again.current(kind)?.sensor == "hmc5883l@1-001e")
    }

    /// A quote with a combining mark after it is one character and still a quote.
    @Test("reads back a sensor of any name", arguments: ["\"\u{301}", "\\\u{301}", "a\"b\\ #c"])
    func names(sensor: String) throws {
        var odd = record(1.5)
        odd.sensor = sensor
        var archive = CalibrationArchive()
        archive.add(odd)
        let again = try CalibrationArchive(parsing: Array(archive.text.utf8))
        let name = try #require(again.current(.magnetic)?.sensor)
        #expect(name.unicodeScalars.elementsEqual(sensor.unicodeScalars))
    }

    @Test("a person reads the offset, the matrix, the date and the place")
    func readable() {
        let text = CalibrationArchive([record(40)]).text
        for line in [
            "[magnetic]", "sensor = \"hmc5883l@1-001e\"", "time = 2026-11-30T00:00:00.000Z",
            "latitude = 50.30000", "longitude = -4.20000", "quality = good", "hard_iron = 40 -25 60.5",
            "soft_iron = 1 0.01 0; 0.01 0.9 0; 0 0 1.1", "coverage = 97.0",
        ] { #expect(text.contains(line + "\n"), "\(line)") }
    }

    @Test("keeps the last three of each kind, and goes back through them")
    func lastThree() {
        var archive = CalibrationArchive()
        archive.add(record(7, kind: .level))
        for x in 1...5 { archive.add(record(Double(x))) }
        func offsets() -> [Double] {
            archive.records.compactMap {
                if case .magnetic(let record) = $0.content { record.calibration.hardIron.x } else { nil }
            }
        }
        #expect(offsets() == [5, 4, 3])
        let wentBack = archive.restore(.magnetic)
        #expect(wentBack)
        #expect(offsets() == [4, 3, 5])
        #expect(archive.current(.magnetic)?.kind == .magnetic)
        #expect(archive.current(.level) != nil)
        let hasOlderLevel = archive.restore(.level)
        #expect(!hasOlderLevel)
    }

    @Test("keeps one behind the one in force, where a restore finds it")
    func behind() {
        var archive = CalibrationArchive()
        archive.add(record(1), behind: true)
        #expect(archive.current(.magnetic) == record(1))
        archive.add(record(7, kind: .level))
        archive.add(record(2), behind: true)
        #expect(archive.current(.magnetic) == record(1))
        let wentBack = archive.restore(.magnetic)
        #expect(wentBack)
        #expect(archive.current(.magnetic) == record(2))
    }

    @Test(
        "says the line of what it cannot mean, and never traps",
        arguments: [
            ("", 1), ("\n\n", 1), ("hard_iron = 1 2 3", 1), ("[level]\nsensor = a\nroll = 400\npitch = 0", 3),
            ("[nonsense]\nsensor = a", 1), ("[magnetic]\nsensor = a", 1), ("\u{0}\u{0}\u{0}", 1),
            ("[level]\nsensor = a\nroll = nan\npitch = 0", 3),
            ("[level]\nsensor = a\nroll = 1\nroll = 1", 4), ("[level", 1),
        ])
    func garbage(text: String, line: Int) {
        #expect {
            try CalibrationArchive(parsing: Array(text.utf8))
        } throws: { ($0 as? ArchiveFault)?.line == line }
    }

    @Test("random bytes are refused")
    func randomBytes() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<200 {
            let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(throws: ArchiveFault.self) { try CalibrationArchive(parsing: bytes) }
        }
    }

    @Test("an insufficient fit makes no record")
    func insufficient() {
        #expect(MagneticRecord(CalibrationFitter().fit([])) == nil)
    }
}
