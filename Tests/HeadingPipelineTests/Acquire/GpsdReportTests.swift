import HeadingPipeline
import Testing

@Suite("gpsd's reports")
struct GpsdReportTests {
    @Test("a position alone has no speed and no course, not 0")
    func positionAlone() throws {
        let fix = try fix(#"{"class":"TPV","mode":3,"lat":50.3,"lon":-4.2}"#)
        #expect(fix.mode == .threeDimensional)
        #expect(fix.position == place(50.3, -4.2))
        #expect(fix.speed == nil && fix.course == nil && fix.altitude == nil && fix.ellipsoidHeight == nil)
        #expect(
            fix.horizontalError == nil && fix.speedError == nil && fix.courseError == nil && fix.time == nil)
    }

    /// A report of a BU-303 as gpsd 3.22 printed it, with its own magnetic fields.
    @Test("a whole report is read whole, but for gpsd's own magnetism")
    func wholeReport() throws {
        let fix = try fix(
            #"{"class":"TPV","device":"/dev/pts/1","mode":3,"time":"2005-06-09T14:34:45.280Z","ept":0.005,"#
                + #""lat":46.498293369,"lon":7.567411672,"altHAE":1391.3096,"altMSL":1345.7200,"alt":1345.7200,"#
                + #""epx":25.475,"epy":25.404,"epv":80.249,"track":10.3788,"magtrack":12.7005,"magvar":2.3,"#
                + #""speed":0.091,"climb":-0.085,"eps":0.95,"epd":12.5,"eph":45.600,"sep":80.445}"#)
        #expect(fix.device == "/dev/pts/1")
        #expect(fix.time == UTCTime(rfc3339: "2005-06-09T14:34:45.280Z"))
        #expect(fix.position == place(46.498293369, 7.567411672))
        #expect(fix.altitude == .meters(1345.72))
        #expect(fix.ellipsoidHeight == .meters(1391.3096))
        #expect(fix.course == .degrees(10.3788))
        #expect(fix.speed == .metersPerSecond(0.091))
        #expect(fix.horizontalError == .meters(45.6))
        #expect(fix.speedError == .metersPerSecond(0.95))
        #expect(fix.courseError == .degrees(12.5))
    }

    @Test(
        "modes",
        arguments: [
            ("0", .none), ("1", .none), ("2", .twoDimensional), ("3", .threeDimensional), ("4", .none),
            ("-1", .none), ("\"3\"", .none), ("null", .none), ("2.5", .none), ("1e99", .none),
        ] as [(String, GpsFix.Mode)])
    func modes(text: String, mode: GpsFix.Mode) throws {
        let fix = try fix(#"{"class":"TPV","mode":"# + text + #","lat":1,"lon":2,"speed":3}"#)
        #expect(fix.mode == mode)
        #expect((fix.position == nil) == (mode == .none))
        #expect((fix.speed == nil) == (mode == .none))
    }

    @Test(
        "heights in every combination",
        arguments: [
            ("", nil, nil), (#","alt":1"#, 1, nil), (#","altMSL":2"#, 2, nil), (#","altHAE":3"#, nil, 3),
            (#","alt":1,"altMSL":2"#, 2, nil), (#","alt":1,"altHAE":3"#, 1, 3),
            (#","altMSL":2,"altHAE":3"#, 2, 3), (#","alt":1,"altMSL":2,"altHAE":3"#, 2, 3),
            (#","altMSL":"high","alt":1"#, 1, nil), (#","altMSL":-4,"altHAE":0"#, -4, 0),
        ] as [(String, Double?, Double?)])
    func heights(fields: String, altitude: Double?, ellipsoidHeight: Double?) throws {
        let fix = try fix(#"{"class":"TPV","mode":3,"lat":1,"lon":2"# + fields + "}")
        #expect(fix.altitude?.meters == altitude)
        #expect(fix.ellipsoidHeight?.meters == ellipsoidHeight)
    }

    @Test(
        "a field of the wrong type or out of range is absent, the others stay",
        arguments: [
            #""track":"n/a","speed":2"#, #""track":null,"speed":2"#, #""track":-1,"speed":2"#,
            #""track":361,"speed":2"#, #""track":[90],"speed":2"#, #""track":1e999,"speed":2"#,
            #""track":true,"speed":2,"eph":-1,"epx":"wide","time":1417996800"#,
        ])
    func wrongTypes(fields: String) throws {
        let fix = try fix(#"{"class":"TPV","mode":3,"lat":1,"lon":2,"# + fields + "}")
        #expect(fix.position == place(1, 2))
        #expect(fix.speed == .metersPerSecond(2))
        #expect(fix.course == nil && fix.horizontalError == nil && fix.time == nil)
    }

    @Test(
        "a speed that is null or negative is absent, the course stays", arguments: ["null", "-3", "\"fast\""])
    func wrongSpeed(text: String) throws {
        let fix = try fix(#"{"class":"TPV","mode":3,"lat":1,"lon":2,"track":90,"speed":"# + text + "}")
        #expect(fix.speed == nil)
        #expect(fix.course == .degrees(90))
    }

    @Test("a course of 360 is 0")
    func fullTurn() throws {
        #expect(try fix(#"{"class":"TPV","mode":3,"lat":1,"lon":2,"track":360.0,"speed":4}"#).course == .zero)
    }

    @Test(
        "horizontal error: eph, else that of both axes",
        arguments: [
            (#""eph":11.4,"epx":3,"epy":4"#, 11.4), (#""epx":3,"epy":4"#, 5), (#""epx":3"#, 4.243),
            (#""epy":3"#, 4.243), (#""eph":0"#, nil), (#""eph":0,"epx":3,"epy":4"#, 5),
        ] as [(String, Double?)])
    func horizontalErrors(fields: String, meters: Double?) throws {
        let fix = try fix(#"{"class":"TPV","mode":2,"lat":1,"lon":2,"# + fields + "}")
        if let meters {
            #expect(abs((fix.horizontalError?.meters ?? 0) - meters) < 1e-3)
        } else {
            #expect(fix.horizontalError == nil)
        }
    }

    /// 50.95 is 25.475 + 25.475 in one second: gpsd 3.22 divides the errors of two positions by the time.
    @Test(
        "a speed error that gpsd made of position errors is none",
        arguments: [
            (#""epx":25.475,"epy":25.404,"eps":50.95"#, nil), (#""epx":1.9,"epy":1.9,"eps":0.23"#, 0.23),
        ]
            as [(String, Double?)])
    func speedErrors(fields: String, metersPerSecond: Double?) throws {
        let fix = try fix(#"{"class":"TPV","mode":3,"lat":1,"lon":2,"# + fields + "}")
        #expect(fix.speedError?.metersPerSecond == metersPerSecond)
    }

    @Test(
        "refused reports",
        arguments: [
            (#"{"class":"TPV","mode":3,"lat":0.0,"lon":0.0}"#, .zeroPosition),
            (#"{"class":"TPV","mode":2,"lat":0,"lon":-0.0,"eph":0}"#, .zeroPosition),
            (#"{"class":"TPV","mode":3,"lat":90.5,"lon":0}"#, .badReport),
            (#"{"class":"TPV","mode":3,"lat":10,"lon":400}"#, .badReport),
            // The middle of the Earth: what ECEF 0, 0, 0 is, with errors or without.
            (#"{"class":"TPV","mode":3,"lat":0,"lon":0,"altHAE":-6378137,"epx":3,"epy":3}"#, .badReport),
            (#"{"class":"TPV","mode":3,"lat":50,"lon":-4,"altMSL":1e7}"#, .badReport),
            (#"{"class":"TPV","mode":3,"lat":"#, .badReport), ("hello", .badReport), ("[1,2]", .badReport),
            (#"{"klass":"TPV"}"#, .badReport), ("{}", .badReport), (#"{"class":7}"#, .badReport),
            (#"{"class":"DEVICE"}"#, .badReport), (#"{"class":"TPV","mode":3,"speed":nan}"#, .badReport),
            (String(repeating: "[", count: 60_000), .badReport), ("\u{0}{}", .badReport),
        ] as [(String, Rejection)])
    func refusals(line: String, reason: Rejection) {
        #expect(reports(line) == [.refused(reason)])
    }

    @Test(
        "0 in one coordinate, or 0, 0 with an error estimate, is a place",
        arguments: [
            #""lat":0.0,"lon":20.0"#, #""lat":51.5,"lon":0.0"#, #""lat":0.0,"lon":0.0,"eph":4.2"#,
            #""lat":0.0,"lon":0.0,"epx":3,"epy":3"#,
        ])
    func realZeros(fields: String) throws {
        #expect(try fix(#"{"class":"TPV","mode":3,"# + fields + "}").position != nil)
    }

    @Test("two objects on one line are two reports")
    func twoObjects() {
        let line = #"{"class":"WATCH","enable":true} {"class":"VERSION","release":"3.22"}"#
        #expect(reports(line) == [.watch(isEnabled: true), .version(release: "3.22")])
        #expect(reports(line + "garbage").last == .refused(.badReport))
    }

    @Test(
        "satellites: a report without a count is no count of 0",
        arguments: [
            (#"{"class":"SKY","device":"/dev/a","hdop":0.6,"pdop":1.1}"#, nil, nil),
            (#"{"class":"SKY","device":"/dev/a","uSat":12}"#, 12, nil),
            (#"{"class":"SKY","device":"/dev/a","nSat":14,"uSat":9}"#, 9, 14),
            (
                #"{"class":"SKY","device":"/dev/a","satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false},{"PRN":3}]}"#,
                1, 3
            ),
            (#"{"class":"SKY","device":"/dev/a","uSat":"many","nSat":-3}"#, nil, nil),
        ] as [(String, Int?, Int?)])
    func satellites(line: String, used: Int?, visible: Int?) {
        #expect(
            reports(line) == [.satellites(SatelliteReport(device: "/dev/a", used: used, visible: visible))])
    }

    @Test("receivers, as gpsd lists, announces and drops them")
    func devices() {
        let active = GpsdDevice(path: "/dev/a", isActive: true)
        let gone = GpsdDevice(path: "/dev/a", isActive: false)
        #expect(reports(#"{"class":"DEVICES","devices":[]}"#) == [.devices([])])
        #expect(
            reports(
                #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"2026-11-30T11:39:50Z"},{"path":"/dev/b"},7]}"#
            )
                == [.devices([active, GpsdDevice(path: "/dev/b", isActive: false)])])
        #expect(reports(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#) == [.device(gone)])
        // gpsd before 3.20 gave the time as a number.
        #expect(
            reports(#"{"class":"DEVICE","path":"/dev/a","activated":1269959537.20}"#) == [.device(active)])
    }

    @Test("errors are passed on, the rest is let go")
    func errors() {
        #expect(
            reports(#"{"class":"ERROR","message":"Unrecognized request"}"#) == [
                .error("Unrecognized request")
            ])
        #expect(reports(#"{"class":"ATT","heading":14.2}"#) == [.ignored])
    }

    @Test("no bytes make it crash", arguments: [11, 12, 13] as [UInt64])
    func anyBytes(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let sample = Array(
            #"{"class":"TPV","device":"/dev/pts/1","mode":3,"lat":46.4,"lon":7.5,"track":10.3,"speed":0.09}"#
                .utf8)
        for _ in 0..<3000 {
            var bytes = sample
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            var count = 0
            bytes.withUnsafeBytes { GpsdReport.forEach(in: $0) { _ in count += 1 } }
            #expect(count >= 1, "seed \(seed)")
        }
    }

    @Test("a date before GPS or a speed of no vehicle is absent, the rest stays")
    func absurdities() throws {
        let line =
            #"{"class":"TPV","mode":3,"time":"1970-01-01T00:00:00Z","lat":50,"lon":-4,"speed":1e6,"track":5}"#
        guard case .fix(let fix)? = reports(line).first else {
            Issue.record("no fix")
            return
        }
        #expect(fix.time == nil)
        #expect(fix.speed == nil)
        #expect(fix.course == .degrees(5))
        #expect(fix.position != nil)
    }
}

func reports(_ line: String) -> [GpsdReport] {
    var reports: [GpsdReport] = []
    Array(line.utf8).withUnsafeBytes { GpsdReport.forEach(in: $0) { reports.append($0) } }
    return reports
}

private func fix(_ line: String) throws -> GpsFix {
    guard case .fix(let fix)? = reports(line).first else { throw NotAFix(line: line) }
    return fix
}

private struct NotAFix: Error {
    let line: String
}
