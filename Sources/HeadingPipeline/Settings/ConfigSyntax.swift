/// The grammar of one line of a config file:
///
///     [section]            # a comment
///     key = value          # a comment: `#` at the start of a line or after a blank
///     key = "a # value"    in quotes everything stands for itself but \" and \\
///
/// Blanks (spaces, tabs) around names and values do not count.
package enum ConfigLine: Hashable, Sendable {
    /// Nothing, or a comment.
    case blank
    case section(String)
    case entry(key: String, value: String)
    case malformed(reason: String, allowed: String)

    /// Longer lines are no one's settings.
    package static let longestLine = 4096

    /// Reads a line without its end.
    package init(_ bytes: ArraySlice<UInt8>) {
        let line = bytes.trimmingBlanks
        guard let first = line.first, first != .hash else {
            self = .blank
            return
        }
        do throws(SyntaxFault) {
            guard bytes.count <= Self.longestLine else {
                throw SyntaxFault("line of \(bytes.count) bytes", "up to \(Self.longestLine) bytes")
            }
            guard String(validating: line, as: UTF8.self) != nil else {
                throw SyntaxFault("line is not UTF-8", "text saved as UTF-8")
            }
            self = first == .openBracket ? try Self.readSection(line) : try Self.readEntry(line)
        } catch {
            self = .malformed(reason: error.reason, allowed: error.allowed)
        }
    }

    private static func readSection(_ line: ArraySlice<UInt8>) throws(SyntaxFault) -> ConfigLine {
        guard let end = line.firstIndex(of: .closeBracket), isCommentOrNothing(line[(end + 1)...]) else {
            throw SyntaxFault("section heading is not closed, or something follows it", "[section]")
        }
        let name = line[line.startIndex..<end].dropFirst().trimmingBlanks
        guard !name.isEmpty else { throw SyntaxFault("section heading without a name", "[section]") }
        return .section(try printableText(name))
    }

    private static func readEntry(_ line: ArraySlice<UInt8>) throws(SyntaxFault) -> ConfigLine {
        guard let equals = line.firstIndex(of: .equals) else {
            throw SyntaxFault("line is no setting", "[section], key = value, or a # before a comment")
        }
        let key = line[..<equals].trimmingBlanks
        guard !key.isEmpty else { throw SyntaxFault("no key before the =", "key = value") }
        let value = try readValue(line[(equals + 1)...].trimmingBlanks)
        return .entry(key: try printableText(key), value: try printableText(value[...]))
    }

    private static func readValue(_ text: ArraySlice<UInt8>) throws(SyntaxFault) -> [UInt8] {
        if text.first == .quote { return try readQuoted(text) }
        let comment = text.indices.first { index in
            text[index] == .hash && (index == text.startIndex || text[index - 1].isBlank)
        }
        return Array(text[..<(comment ?? text.endIndex)].trimmingBlanks)
    }

    private static func readQuoted(_ text: ArraySlice<UInt8>) throws(SyntaxFault) -> [UInt8] {
        var value: [UInt8] = []
        var rest = text.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case .quote:
                guard isCommentOrNothing(rest) else {
                    throw SyntaxFault("something follows the closing quote", "a comment")
                }
                return value
            case .backslash:
                guard let escaped = rest.popFirst(), escaped == .quote || escaped == .backslash else {
                    throw SyntaxFault("backslash in quotes", "\\\" and \\\\")
                }
                value.append(escaped)
            default:
                value.append(byte)
            }
        }
        throw SyntaxFault("quote is not closed", "\"value\"")
    }

    private static func isCommentOrNothing(_ rest: ArraySlice<UInt8>) -> Bool {
        let text = rest.trimmingBlanks
        return text.isEmpty || text.first == .hash
    }

    /// Refuses what MQTT forbids in text and what a log line cannot show.
    private static func printableText(_ bytes: ArraySlice<UInt8>) throws(SyntaxFault) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let refused = text.unicodeScalars.first { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar != "\t"
            case .lineSeparator, .paragraphSeparator: true
            default: scalar.properties.isNoncharacterCodePoint
            }
        }
        if let refused {
            throw SyntaxFault("control character \(VisibleText.code(of: refused))", "printable text")
        }
        return text
    }
}

/// A line that is against the grammar. Never holds the line itself, which may be a misplaced password.
private struct SyntaxFault: Error {
    let reason: String
    let allowed: String
    init(_ reason: String, _ allowed: String) {
        self.reason = reason
        self.allowed = allowed
    }
}

extension UInt8 {
    static let hash = UInt8(ascii: "#")
    static let equals = UInt8(ascii: "=")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmingBlanks: ArraySlice<UInt8> {
        guard let start = firstIndex(where: { !$0.isBlank }), let end = lastIndex(where: { !$0.isBlank })
        else {
            return []
        }
        return self[start...end]
    }
}
