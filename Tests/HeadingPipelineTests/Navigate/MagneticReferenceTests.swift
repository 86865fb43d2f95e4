import HeadingPipeline
import Testing

@Suite("Magnetic reference")
struct MagneticReferenceTests {
    private let start = Instant(nanoseconds: 0)
    private let build = UTCTime(year: 2026, month: 11, day: 30)

    private func position(_ latitude: Double, _ longitude: Double) throws -> GeoPosition {
        try #require(GeoPosition(latitude: .degrees(latitude), longitude: .degrees(longitude)))
    }

    private func reference(manual: Angle? = nil) -> MagneticReference {
        var settings = Settings()
        settings.heading.declination = manual
        return MagneticReference(settings: settings.heading, buildDate: build)
    }

    @Test("knows no declination before there is a position")
    func noPosition() {
        var reference = reference()
        reference.update(wallClock: UTCTime(year: 2027, month: 1, day: 1), at: start)
        #expect(reference.field == nil)
    }

    /// Seattle on 2026-12-01: computed with GeographicLib.
    @Test("gives the model's declination at the fix, at the receiver's date")
    func model() throws {
        var reference = reference()
        reference.update(
            position: try position(47.6, -122.34), height: .zero,
            receiverTime: UTCTime(year: 2026, month: 12, day: 1), at: start)
        let field = try #require(reference.field)
        #expect(abs(field.declination.degrees - 14.854) < 0.0005)
        #expect(field.source == .model)
        #expect(field.source.rawValue == "WMM2025")
        #expect(!field.isExpired)
        let expected = try #require(field.expected)
        #expect(expected.zone == .normal)
        let sigma = MagneticElements.declinationUncertainty(horizontal: expected.horizontal)
        #expect((field.declinationUncertainty - sigma).magnitude < .degrees(1e-9))
    }

    /// H 20.301 and Z 44.198 µT off Plymouth.
    @Test("uses a manual declination as given, with or without a position")
    func manual() throws {
        var reference = reference(manual: .degrees(-3.25))
        let before = try #require(reference.field)
        #expect(before.declination == .degrees(-3.25) && before.source == .manual && before.expected == nil)
        reference.update(position: try position(50.3, -4.2), height: nil, receiverTime: nil, at: start)
        let after = try #require(reference.field)
        #expect(after.declination == .degrees(-3.25) && after.source == .manual)
        let expected = try #require(after.expected)
        #expect(abs(expected.horizontal.microtesla - 20.301) < 0.05)
        #expect(abs(expected.inclination.degrees - 65.33) < 0.05)
    }

    @Test("asks the model again only after a kilometre, 500 m of height or a day")
    func economy() throws {
        var reference = reference()
        func update(_ latitude: Double, _ longitude: Double, _ height: Double, after seconds: Double) throws
            -> Int
        {
            reference.update(
                position: try position(latitude, longitude), height: .meters(height),
                receiverTime: build + .seconds(seconds), at: start + .seconds(seconds))
            return reference.evaluations
        }
        #expect(try update(50.3, -4.2, 50, after: 0) == 1)
        #expect(try update(50.305, -4.205, 80, after: 3600) == 1)
        #expect(try update(50.31, -4.2, 80, after: 7200) == 2)
        #expect(try update(50.31, -4.22, 80, after: 7300) == 3)
        #expect(try update(50.31, -4.22, 700, after: 7400) == 4)
        #expect(try update(50.31, -4.22, 700, after: 7400 + 86_500) == 5)
        #expect(try update(-17, 179.999, 0, after: 100_000) == 6)
        #expect(try update(-17, -179.999, 0, after: 100_000) == 6)
    }

    @Test("after 2030 still computes, is wider, and says so")
    func expired() throws {
        var reference = reference()
        let place = try position(50.3, -4.2)
        func update(_ date: UTCTime) throws -> LocalField {
            reference.update(position: place, height: nil, receiverTime: date, at: start)
            return try #require(reference.field)
        }
        let last = try update(UTCTime(year: 2029, month: 12, day: 31))
        let expired = try update(UTCTime(year: 2030, month: 1, day: 2))
        let later = try update(UTCTime(year: 2033, month: 1, day: 2))
        #expect(!last.isExpired && expired.isExpired && later.isExpired)
        #expect(expired.declinationUncertainty > last.declinationUncertainty)
        #expect(later.declinationUncertainty > expired.declinationUncertainty)
        #expect((later.declination - last.declination).magnitude < .degrees(1))
    }

    @Test("moves a fix from before a week rollover to its epoch, and says so")
    func rollover() throws {
        var reference = reference()
        let said = build + .seconds(-7168 * 86_400)
        reference.update(position: try position(50.3, -4.2), height: nil, receiverTime: said, at: start)
        #expect(reference.receiverEpochsAdded == 1)
        #expect(reference.date(at: start) == build)
        #expect(reference.field?.isExpired == false)
    }

    @Test(
        "never uses a clock in the past for the model: the build date is the floor",
        arguments: [1970, 2014])
    func clockInThePast(year: Int) throws {
        var reference = reference()
        reference.update(wallClock: UTCTime(year: year, month: 1, day: 1), at: start)
        reference.update(position: try position(50.3, -4.2), height: nil, receiverTime: nil, at: start)
        #expect(reference.date(at: start) == build)
        #expect(reference.field?.isExpired == false)
    }

    @Test("a wall clock that steps changes nothing while the receiver tells the date")
    func clockSteps() throws {
        var reference = reference()
        reference.update(
            position: try position(50.3, -4.2), height: nil, receiverTime: build + .seconds(60), at: start)
        let before = reference.field
        for year in [2016, 2036] {
            reference.update(wallClock: UTCTime(year: year, month: 11, day: 30), at: start + .seconds(1))
            #expect(reference.field == before)
        }
    }
}
