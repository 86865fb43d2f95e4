/// Text from a file made fit for an error line: one line, not too long, and what the eye cannot see (a no-break
/// space, a terminal's escape) shown by its code.
package enum VisibleText {
    static func quoted(_ text: String) -> String { "\"" + plain(text) + "\"" }

    package static func plain(_ text: String, upTo limit: Int = 60) -> String {
        let shown = text.unicodeScalars.prefix(limit).map(visible).joined()
        return text.unicodeScalars.dropFirst(limit).isEmpty ? shown : shown + "..."
    }

    private static func visible(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            "<" + code(of: scalar) + ">"
        case .spaceSeparator where scalar != " ":
            "<" + code(of: scalar) + ">"
        default:
            String(Character(scalar))
        }
    }

    /// `U+00A0`.
    static func code(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
