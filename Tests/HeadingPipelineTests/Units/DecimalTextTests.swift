import HeadingPipeline
import Testing

@Suite("Numbers as text")
struct DecimalTextTests {
    @Test(
        "have fixed decimals, no exponent and no negative zero",
        arguments: [
            (-122.3400123, 7, "-122.3400123"), (0.00001234, 7, "0.0000123"), (-0.0, 1, "0.0"),
            (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"), (1e9, 0, "1000000000"), (0.5, 0, "1"), (-0.5, 0, "-1"),
            (12.999, 2, "13.00"), (7, 3, "7.000"), (.nan, 1, "null"), (-.infinity, 1, "null"),
            (1e300, 1, "null"),
        ])
    func text(value: Double, places: Int, expected: String) {
        #expect(decimalText(value, places: places) == expected)
    }

    @Test(
        "a time is RFC 3339 in UTC with milliseconds, and reads back",
        arguments: [
            ("2026-11-30T12:00:00.120Z", Int64(1_796_040_000_120)), ("1970-01-01T00:00:00.000Z", 0),
            ("2000-02-29T23:59:59.999Z", 951_868_799_999), ("1969-12-31T23:59:59.999Z", -1),
        ])
    func time(text: String, milliseconds: Int64) {
        let time = UTCTime(nanoseconds: milliseconds * 1_000_000)
        var bytes: [UInt8] = []
        bytes.appendRFC3339(time)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        #expect(UTCTime(rfc3339: text) == time)
    }

    @Test(
        "refuses what is not such a time",
        arguments: [
            "", "2026-11-30", "2026-02-29T00:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T12:00:00", "x",
        ])
    func refuses(text: String) { #expect(UTCTime(rfc3339: text) == nil) }
}
