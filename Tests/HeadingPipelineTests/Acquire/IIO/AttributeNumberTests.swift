import HeadingPipeline
import Testing

@Suite("Numbers of attributes")
struct AttributeNumberTests {
    private func number(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBytes { Int64(attribute: $0) }
    }

    @Test(
        "reads a whole number",
        arguments: [
            ("189\n", 189), ("-450\n", -450), ("0", 0), ("-0\n", 0), ("9223372036854775807\n", .max),
            ("-9223372036854775808\n", .min), ("  ", nil), ("", nil), ("-", nil), ("12 3", nil),
            ("1.5\n", nil),
            ("9223372036854775808", nil), ("+3", nil), ("abc", nil), ("99999999999999999999999", nil),
        ] as [(String, Int64?)])
    func reads(text: String, value: Int64?) { #expect(number(text) == value) }
}
