import HeadingPipeline
import Testing

@Suite("Date of the magnetic model in the pipeline")
struct ModelDateTests {
    private let build = UTCTime(year: 2026, month: 11, day: 30)

    private func pipeline(fixedAt time: UTCTime?, clock: UTCTime? = nil) -> (Pipeline, Measurements) {
        var pipeline = Pipeline(settings: Settings(), buildDate: build)
        let now = Instant(nanoseconds: 1_000_000_000)
        if let clock { _ = pipeline.take(Reading(at: now, .clock(clock))) }
        var fix = GpsFix(mode: .threeDimensional)
        fix.position = GeoPosition(latitude: .degrees(50.3), longitude: .degrees(-4.2))
        fix.time = time
        let measurements = pipeline.take(Reading(at: now, .fix(fix)))
        return (pipeline, measurements)
    }

    @Test("2030-01-02: still computed, wider, and model_expired is said")
    func expired() throws {
        let (before, last) = pipeline(fixedAt: UTCTime(year: 2029, month: 12, day: 31))
        let (after, first) = pipeline(fixedAt: UTCTime(year: 2030, month: 1, day: 2))
        #expect(!before.warnings.contains(.modelExpired))
        #expect(after.warnings.contains(.modelExpired))
        let (valid, expired) = (try #require(last.declination), try #require(first.declination))
        #expect(!valid.isExpired && expired.isExpired)
        #expect(expired.accuracy > valid.accuracy)
        #expect((expired.declination - valid.declination).magnitude < .degrees(0.01))
    }

    @Test("a fix dated 7168 days ago is put right and said so")
    func rollover() throws {
        let (pipeline, measurements) = pipeline(fixedAt: UTCTime(year: 2007, month: 4, day: 16))
        #expect(measurements.position?.time == build)
        #expect(measurements.declination?.isExpired == false)
        #expect(pipeline.warnings.contains(.receiverWeekRollover(epochs: 1)))
    }

    @Test("a clock in the past is not the model's date", arguments: [1970, 2014])
    func oldClock(year: Int) throws {
        let (_, measurements) = pipeline(fixedAt: nil, clock: UTCTime(year: year, month: 6, day: 1))
        let declination = try #require(measurements.declination)
        // On 2026-11-30, by an independent implementation; in 2014 it would be over 2° further west.
        #expect(abs(declination.declination.degrees - -0.0142) < 0.002)
    }
}
