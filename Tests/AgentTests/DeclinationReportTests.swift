import HeadingPipeline
import Testing

@testable import compass_mqtt

@Suite("Command declination")
struct DeclinationReportTests {
    private func report(_ line: String) throws -> DeclinationReport {
        DeclinationReport(try #require(try FieldQuery(line: line)))
    }

    @Test("prints a tiny western declination as 0.0, never as -0.0")
    func noNegativeZero() throws {
        let text = try report("50.3 -4.2 0 2026-12-01").text(.people)
        #expect(text.contains("declination   0.0°"))
        #expect(!text.contains("-0.0"))
    }

    @Test(
        "writes declinations for people with their side",
        arguments: [
            ("47.6 -122.34 0 2026-12-01", "14.9°", "14°51' E"),
            ("-33.9 18.4 0 2026-12-01", "-26.8°", "26°48' W"),
            ("-33.85 151.25 0 2026-12-01", "12.8°", "12°50' E"),
        ])
    func people(line: String, decimal: String, nautical: String) throws {
        let text = try report(line).text(.people)
        #expect(text.contains("declination   \(decimal), "))
        #expect(text.contains("(\(nautical))"))
    }

    /// NOAA NCEI, WMM2025_TEST_VALUES.txt: 2025.5, 63 km, 26 N, 81 E.
    @Test("prints columns in the order of the model's own tables")
    func columns() throws {
        let words = try report("26 81 63000 2025.5").text(.columns).split(separator: " ")
        let published = [
            0.51, 41.07, 34803.980117, 34802.613433, 308.431881, 30332.056989, 46166.554053, 0.018525,
            0.021888, 20.342054, 20.241534, 11.432574, 41.122831, 42.353703,
        ]
        #expect(words.count == published.count + 1)
        for (index, (word, expected)) in zip(words, published).enumerated() {
            let value = try #require(Double(word))
            #expect(abs(value - expected) <= (index < 2 ? 0.005 : 1e-3))
        }
    }

    @Test("writes JSON with plain numbers")
    func json() throws {
        let text = try report("50.37 -4.14 100 2031.0").text(.json)
        #expect(
            text.hasPrefix(
                #"{"model":"WMM2025","latitude":50.3700000,"longitude":-4.1400000,"height":100.000,"#))
        #expect(text.contains(#""zone":"normal","valid":false}"#))
        #expect(!text.contains("e-"))
    }

    @Test(
        "says when the date is outside the model's years", arguments: ["2024.9", "2030-01-02", "2034-08-16"])
    func doubt(date: String) throws {
        let doubt = try #require(try report("50.3 -4.2 0 \(date)").doubt)
        #expect(doubt.contains("outside WMM2025, which holds from 2025 to 2030"))
        #expect(try report("50.3 -4.2 0 2029-12-31").doubt == nil)
    }

    @Test(
        "reads a day, a moment or a year",
        arguments: [
            ("2028-12-31", 2028.99727), ("2026-11-30T12:00:00Z", 2026.91370), ("2025.5", 2025.5),
            ("2027", 2027),
        ])
    func dates(text: String, year: Double) throws {
        let query = try #require(try FieldQuery(line: "1 2 3 \(text)"))
        #expect(abs(query.decimalYear - year) < 1e-5)
    }

    @Test("takes longitudes to 360")
    func longitude() throws {
        let wrapped = try report("-36.6 339.5 0 2026").text(.columns)
        let plain = try report("-36.6 -20.5 0 2026").text(.columns)
        #expect(wrapped == plain)
    }

    @Test("without a height it is the ellipsoid")
    func height() throws {
        let query = try #require(try FieldQuery(line: "50.3 -4.2"))
        #expect(query.height == .zero)
        #expect(query.position == GeoPosition(latitude: .degrees(50.3), longitude: .degrees(-4.2)))
    }

    @Test(
        "refuses what is no place, height or date",
        arguments: [
            "90.001 0 0 2026", "-91 0 0 2026", "0 360.1 0 2026", "0 -180.1 0 2026", "0 0 850001 2026",
            "0 0 -10001 2026", "0 0 0 2026-02-30", "0 0 0 1899.9", "0 0 0 2101", "nan 0 0 2026",
            "0 inf 0 2026",
            "0 0 0 yesterday", "0", "0 0 0 2026 1", "a b c d",
        ])
    func faults(line: String) {
        #expect(throws: UsageError.self) { _ = try FieldQuery(line: line) }
    }

    @Test("passes over empty lines and comments", arguments: ["", "   ", "# 50 4 0 2026"])
    func silence(line: String) throws { #expect((try FieldQuery(line: line)) == nil) }
}
