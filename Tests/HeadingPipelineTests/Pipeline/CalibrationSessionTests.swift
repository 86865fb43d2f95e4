import HeadingPipeline
import Testing

@Suite("A calibration session")
struct CalibrationSessionTests {
    private static let hardIron = Vector3(14, -7, 5)
    /// 50.3 N 4.2 W on 2026-12-01 by GeographicLib's WMM2025: 48.62 µT.
    private static let strength = 48.62

    private var now = Instant(nanoseconds: 1_000_000_000)
    private var session: CalibrationSession
    private var cloud = Cloud(seed: 5)

    init() { session = Self.session() }

    private static func session(isLevelTurn: Bool = false) -> CalibrationSession {
        CalibrationSession(
            settings: Settings(), isLevelTurn: isLevelTurn, buildDate: UTCTime(year: 2026, month: 11, day: 1))
    }

    private mutating func take(_ content: Reading.Content) {
        now = now + .milliseconds(50)
        session.take(Reading(at: now, content))
    }

    private mutating func open(_ identity: String) {
        take(
            .opened(
                .magnetometer,
                SensorDescription(identity: identity, name: "x", mountMatrix: nil, mode: "polled", rate: 20)))
    }

    /// All ways, behind hard iron and a scale that is a tenth too small.
    private mutating func turn(_ count: Int = 400) {
        cloud.hardIron = Self.hardIron
        cloud.softIron = .diagonal(Vector3(0.9, 0.9, 0.9))
        cloud.strength = Self.strength
        for _ in 0..<count {
            let raw = cloud.raw(cloud.direction())
            take(.sample(SensorSample(source: .magnetometer, vector: raw)))
        }
    }

    private mutating func fix() {
        var fix = GpsFix(mode: .threeDimensional)
        fix.position = GeoPosition(latitude: .degrees(50.3), longitude: .degrees(-4.2))
        fix.time = UTCTime(year: 2026, month: 12, day: 1)
        take(.fix(fix))
    }

    @Test(
        "with a fix the scale is set from the model's strength, without one it stays",
        arguments: [true, false])
    func scale(hasFix: Bool) throws {
        var test = self
        test.open("a")
        if hasFix { test.fix() }
        test.turn()
        let fit = test.session.fit()
        #expect(fit.verdict == .good)
        #expect((fit.calibration.hardIron - Self.hardIron).length < 0.1)
        let wanted = hasFix ? Self.strength : Self.strength * 0.9
        #expect(abs(fit.strength.microtesla - wanted) < 0.1)
        let record = try #require(test.session.record(fit))
        #expect(record.sensor == "a")
        #expect((record.place != nil) == hasFix)
    }

    @Test("a place that is asked for goes before the fixes'")
    func askedPlace() {
        var test = self
        test.open("a")
        test.fix()
        test.turn()
        let asked = EarthField(strength: .microtesla(40), inclination: .degrees(60))
        #expect(abs(test.session.fit(expected: asked).strength.microtesla - 40) < 1e-6)
    }

    @Test("another sensor's samples are left out, and counted")
    func otherSensor() {
        var test = self
        test.open("a")
        test.turn(300)
        let before = test.session.samples.count
        test.open("b")
        test.turn(200)
        #expect(test.session.leftOut == before)
        #expect(test.session.samples.count <= 200)
        #expect(test.session.sensor?.identity == "b")
    }

    @Test("what cannot be the Earth's field is insufficient where a fix tells")
    func wrongUnit() {
        var test = self
        test.open("a")
        test.fix()
        test.cloud.hardIron = .zero
        test.cloud.strength = 486
        for _ in 0..<300 {
            let raw = test.cloud.raw(test.cloud.direction())
            test.take(.sample(SensorSample(source: .magnetometer, vector: raw)))
        }
        guard case .insufficient(let missing) = test.session.fit().verdict else {
            Issue.record("accepted")
            return
        }
        #expect(missing.contains { $0.text.contains("scale is wrong") })
    }

    // MARK: Whether it takes the place of what is in force

    /// A level turn behind this hard iron, after a good calibration of ``hardIron`` was stored.
    private func levelTurn(_ hardIron: Vector3) throws -> Succession {
        var test = self
        test.session = Self.session(isLevelTurn: true)
        test.open("a")
        var good = self
        good.open("a")
        good.turn()
        let record = try #require(good.session.record(good.session.fit()))
        test.take(.stored(.magnetometer, Array(CalibrationArchive([record]).text.utf8)))
        #expect(test.session.stored?.sensor == "a")
        for degrees in stride(from: 0.0, to: 720, by: 2) {
            let noise = Vector3(test.cloud.normal(), test.cloud.normal(), test.cloud.normal()) * 0.3
            let field = Settings.partsUp * Body(heading: degrees).field() + hardIron + noise
            test.take(.sample(SensorSample(source: .magnetometer, vector: field)))
        }
        let fit = test.session.fit()
        #expect(fit.verdict == .usable)
        return fit.succession(after: test.session.stored)
    }

    @Test("a usable one stays behind a good one that still fits")
    func staysBehind() throws {
        guard case .staysBehind(let difference) = try levelTurn(Self.hardIron) else {
            Issue.record("took over")
            return
        }
        #expect(difference.microtesla < 0.5)
    }

    @Test("it takes over where it shows that the hard iron has moved: 8 µT to the side, not up")
    func takesOver() throws {
        let moved = try levelTurn(Self.hardIron + Vector3(0, 8, 0))
        guard case .takesOverMoved(let difference) = moved else {
            Issue.record("\(moved)")
            return
        }
        #expect(abs(difference.microtesla - 8) < 0.8)
        // A level turn knows nothing of the vertical.
        if case .staysBehind = try levelTurn(Self.hardIron + Vector3(0, 0, 8)) {
        } else {
            Issue.record("took over")
        }
    }

    @Test("a good one takes over always, and so does a usable one after none or a usable one")
    func otherwise() throws {
        var test = self
        test.open("a")
        test.turn()
        let good = test.session.fit()
        let record = try #require(test.session.record(good))
        #expect(good.succession(after: record) == .takesOver)
        var usable = good
        usable.verdict = .usable
        #expect(usable.succession(after: nil) == .takesOver)
        let other = try #require(test.session.record(usable))
        #expect(usable.succession(after: other) == .takesOver)
    }
}
