import HeadingPipeline
import Testing

/// What gpsd 3.22 printed for recordings of real receivers.
@Suite("Recordings of gpsd", .needsSharedData)
struct GpsdLogTests {
    /// Counted with a JSON reader of another make (Python's), fixes being those of mode 2 and 3.
    static let logs: [LogCount] = [
        LogCount("ac12", reports: 9, positions: 9, speeds: 7, courses: 7, counts: 7),
        LogCount("april6_2019", reports: 3, positions: 2, speeds: 2, courses: 2, counts: 0),
        LogCount("bu303-moving", reports: 12, positions: 12, speeds: 12, courses: 12, counts: 11),
        LogCount("bu303-nofix", reports: 7, positions: 0, speeds: 0, courses: 0, counts: 7),
        LogCount("bu353s4", reports: 27, positions: 27, speeds: 25, courses: 25, counts: 5),
        LogCount("bundg_zeus_9", reports: 2484, positions: 2484, speeds: 2481, courses: 2370, counts: 145),
        LogCount("dual_neo-m8n_hemi", reports: 219, positions: 62, speeds: 60, courses: 0, counts: 43),
        LogCount("garmin-10x", reports: 21, positions: 17, speeds: 14, courses: 8, counts: 14),
        LogCount("garmin15x", reports: 9, positions: 9, speeds: 9, courses: 9, counts: 7),
        LogCount(
            "gp-320fw-2019-04-06-overflow", reports: 26, positions: 26, speeds: 25, courses: 25, counts: 9),
        LogCount("haicom-305N", reports: 142, positions: 134, speeds: 134, courses: 67, counts: 27),
        LogCount("hemi", reports: 215, positions: 6, speeds: 5, courses: 0, counts: 0),
        LogCount("holux-gm-210", reports: 13, positions: 0, speeds: 0, courses: 0, counts: 2),
        LogCount(
            "irene_2014-06-19_a", reports: 1857, positions: 1857, speeds: 1857, courses: 1362, counts: 0),
        LogCount("lost_bu303-moving", reports: 12, positions: 12, speeds: 12, courses: 12, counts: 11),
        LogCount("motorola-t805", reports: 41, positions: 31, speeds: 29, courses: 2, counts: 0),
        LogCount("myguide-3100", reports: 24, positions: 19, speeds: 16, courses: 8, counts: 13),
        LogCount("neo-m8n", reports: 23, positions: 23, speeds: 22, courses: 0, counts: 23),
        LogCount("nmea-fuzzy-cases", reports: 15, positions: 15, speeds: 14, courses: 14, counts: 0),
        LogCount("pypilot", reports: 0, positions: 0, speeds: 0, courses: 0, counts: 0),
        LogCount("quectel-eg25-g", reports: 223, positions: 76, speeds: 73, courses: 47, counts: 99),
        LogCount("sounder", reports: 122, positions: 121, speeds: 0, courses: 0, counts: 0),
        LogCount("ublox-lea-4h", reports: 18, positions: 9, speeds: 9, courses: 9, counts: 14),
        LogCount("ublox-neo-m8l", reports: 19, positions: 19, speeds: 19, courses: 19, counts: 19),
        LogCount("ublox-neo-m8n", reports: 44, positions: 44, speeds: 44, courses: 44, counts: 5),
        LogCount("ublox-neo-m8u-hnr", reports: 1, positions: 1, speeds: 1, courses: 1, counts: 1),
    ]

    @Test("are read whole: every report, field by field", arguments: logs)
    func readsEveryReport(expected: LogCount) throws {
        var found = LogCount(expected.name, reports: 0, positions: 0, speeds: 0, courses: 0, counts: 0)
        for report in try recordedReports(expected.name) {
            switch report {
            case .fix(let fix):
                found.reports += 1
                found.positions += fix.position == nil ? 0 : 1
                found.speeds += fix.speed == nil ? 0 : 1
                found.courses += fix.course == nil ? 0 : 1
                if let course = fix.course { #expect((0..<360).contains(course.degrees)) }
            case .satellites(let report): found.counts += report.used == nil ? 0 : 1
            case .refused(let reason): Issue.record("\(reason)")
            case .error(let message): Issue.record("\(message)")
            case .devices, .device, .version, .watch, .ignored: break
            }
        }
        #expect(found == expected)
    }

    /// The fastest of these receivers did 4.4 m/s by its own word (the yacht of bundg_zeus_9).
    @Test("give no speed that no receiver gave, and positions all of one neighbourhood", arguments: logs)
    func makesNothingUp(log: LogCount) throws {
        var tracker = FixTracker(settings: Settings().gps)
        var now = Instant(nanoseconds: 0)
        var first: GeoPosition?
        var given: Set<Speed> = []
        for case .fix(let fix) in try recordedReports(log.name) where fix.device != "/dev/pts/2" {
            now = now + .milliseconds(100)
            if fix.course != nil, let speed = fix.speed { given.insert(speed) }
            guard case .navigation(let navigation) = tracker.update(fix, at: now) else { continue }
            #expect(navigation.position == fix.position)
            #expect(
                Geodesic(from: first ?? navigation.position, to: navigation.position).distance
                    < .kilometers(10))
            first = first ?? navigation.position
            if let course = navigation.course, course.origin == .receiver {
                #expect((navigation.speed?.speed).map(given.contains) == true)
            }
        }
    }
}

struct LogCount: Hashable, CustomTestStringConvertible {
    let name: String
    var reports: Int
    var positions: Int
    var speeds: Int
    var courses: Int
    var counts: Int
    var testDescription: String { name }

    init(_ name: String, reports: Int, positions: Int, speeds: Int, courses: Int, counts: Int) {
        self.name = name
        self.reports = reports
        self.positions = positions
        self.speeds = speeds
        self.courses = courses
        self.counts = counts
    }
}

private func recordedReports(_ name: String) throws -> [GpsdReport] {
    var found: [GpsdReport] = []
    var splitter = LineSplitter()
    var text = try SharedData.text("gpsd/\(name).gpsd322.jsonl")
    text.withUTF8 { bytes in
        splitter.consume(UnsafeRawBufferPointer(bytes)) { piece in
            switch piece {
            case .line(let line): GpsdReport.forEach(in: line) { found.append($0) }
            case .lineTooLong: found.append(.refused(.lineTooLong))
            }
        }
    }
    return found
}
