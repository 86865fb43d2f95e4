import HeadingPipeline
import Testing

private let build = UTCTime(year: 2026, month: 11, day: 30)
private let start = Instant(nanoseconds: 5_000_000_000)

private func time(_ text: String) throws -> UTCTime { try #require(UTCTime(rfc3339: text)) }

@Suite("Date of a receiver")
struct DateOfReceiverTests {
    /// 1024 weeks are 7168 days. 2014-12-31 and 2034-08-16 are one of gpsd 3.22's pairs.
    @Test(
        "is put right by whole epochs of 1024 weeks",
        arguments: [
            ("2026-12-01T12:00:00Z", "2026-12-01T12:00:00Z", 0),
            ("2007-04-16T12:00:00Z", "2026-11-30T12:00:00Z", 1),
            ("2014-12-31T05:00:00Z", "2034-08-16T05:00:00Z", 1),
            ("2034-08-16T05:00:00Z", "2034-08-16T05:00:00Z", 0),
            ("2046-07-16T06:00:00Z", "2026-11-30T06:00:00Z", -1),
            ("1987-08-31T00:00:00Z", "2026-11-30T00:00:00Z", 2),
            ("2025-06-01T00:00:00Z", "2025-06-01T00:00:00Z", 0),
        ])
    func epochs(said: String, meant: String, added: Int) throws {
        let corrected = DateOfReceiver(buildDate: build).corrected(try time(said))
        let expected = try time(meant)
        #expect(corrected.time == expected)
        #expect(corrected.epochsAdded == added)
    }

    @Test("always lies in the 1024 weeks after the earliest", arguments: [-1, 0, 1])
    func window(nanoseconds: Int64) throws {
        let dates = DateOfReceiver(buildDate: build)
        let epoch: Int64 = 7168 * UTCTime.day
        for turn in Int64(-14)...12 {
            let said = UTCTime(nanoseconds: dates.earliest.nanoseconds + turn * epoch + nanoseconds)
            let meant = dates.corrected(said).time
            // Half a second to and fro at the edge is nobody's loss.
            let offset = (meant - dates.earliest).seconds
            #expect(offset > -1 && offset < 7168 * 86_400 + 1)
        }
    }

    @Test("never overflows", arguments: [Int64.min, Int64.min + 1, Int64.max, 0])
    func extremes(nanoseconds: Int64) {
        let dates = DateOfReceiver(buildDate: build)
        let meant = dates.corrected(UTCTime(nanoseconds: nanoseconds)).time
        #expect(meant > UTCTime(year: 2024, month: 11, day: 30))
        #expect(meant < UTCTime(year: 2044, month: 7, day: 30))
    }
}

@Suite("Reckoning of the date")
struct DateReckoningTests {
    @Test("starts on the day of the build")
    func floor() { #expect(DateReckoning(buildDate: build).date(at: start) == build) }

    @Test(
        "never uses a wall clock that cannot be right",
        arguments: [
            "1970-01-01T00:00:10Z", "2014-03-01T00:00:00Z", "2026-11-29T23:59:59Z", "2099-01-01T00:00:00Z",
        ]
    )
    func insaneClock(text: String) throws {
        var dates = DateReckoning(buildDate: build)
        dates.wallClock(try time(text), at: start)
        #expect(dates.date(at: start + .seconds(60)) == build + .zero)
    }

    @Test("uses a sane wall clock, and goes on from it with the monotonic one")
    func saneClock() throws {
        var dates = DateReckoning(buildDate: build)
        dates.wallClock(try time("2027-05-01T00:00:00Z"), at: start)
        let expected = try time("2027-05-02T00:00:00Z")
        #expect(dates.date(at: start + .seconds(86_400)) == expected)
    }

    @Test("believes the receiver, whatever the wall clock does")
    func receiverWins() throws {
        var dates = DateReckoning(buildDate: build)
        dates.receiver(try time("2007-09-15T00:00:00Z"), at: start)
        #expect(dates.receiverEpochsAdded == 1)
        for clock in ["2037-05-01T00:00:00Z", "2017-05-01T00:00:00Z", "2027-05-01T00:00:00Z"] {
            dates.wallClock(try time(clock), at: start)
            let expected = try time("2027-05-01T00:00:00Z")
            #expect(dates.date(at: start) == expected)
        }
    }
}
