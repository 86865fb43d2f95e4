/// The text of a config file taken apart: who says what in which line, and what is against the grammar. It
/// knows no keys.
package struct ConfigFile: Sendable {
    package struct Section: Hashable, Sendable {
        package var name: String
        package var line: Int
    }

    package struct Entry: Hashable, Sendable {
        /// `nil`: before the first section.
        package var section: String?
        package var key: String
        package var value: String
        package var line: Int
    }

    package let name: String
    package private(set) var sections: [Section] = []
    package private(set) var entries: [Entry] = []
    package private(set) var faults: [SettingsError] = []
    private var firstLines: [SettingName: Int] = [:]

    /// Bytes. A file with every key and its explanation has a fifth of it.
    package static let largestSize = 65_536

    /// Never fails and never traps, whatever the bytes.
    package init(_ bytes: [UInt8], name: String) {
        self.name = name
        guard bytes.count <= Self.largestSize else {
            faults = [
                SettingsError(
                    file: name, reason: "the file is too large", allowed: "up to \(Self.largestSize) bytes")
            ]
            return
        }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        if let zero = text.firstIndex(of: 0) {
            // A binary file: its lines mean nothing.
            let line = 1 + text[..<zero].count { $0 == Self.newline }
            faults = [SettingsError(file: name, line: line, reason: "byte 0", allowed: "a text file")]
            return
        }
        guard text.contains(where: { !Self.isSpace($0) }) else {
            faults = [SettingsError(file: name, line: 1, reason: "the file is empty", allowed: "settings")]
            return
        }
        for (index, line) in text.split(separator: Self.newline, omittingEmptySubsequences: false)
            .enumerated()
        {
            take(ConfigLine(line.last == Self.carriageReturn ? line.dropLast() : line), at: index + 1)
        }
    }

    private mutating func take(_ content: ConfigLine, at line: Int) {
        switch content {
        case .blank:
            break
        case .section(let name):
            take(Section(name: name, line: line))
        case .entry(let key, let value):
            take(Entry(section: sections.last?.name, key: key, value: value, line: line))
        case .malformed(let reason, let allowed):
            faults.append(SettingsError(file: name, line: line, reason: reason, allowed: allowed))
        }
    }

    private mutating func take(_ section: Section) {
        if let first = firstLine(of: SettingName(section: section.name, key: nil), now: section.line) {
            faults.append(
                SettingsError(
                    file: name, line: section.line, section: section.name,
                    reason: "section stands in line \(first) already", allowed: "once"))
        }
        sections.append(section)
    }

    private mutating func take(_ entry: Entry) {
        if let first = firstLine(of: SettingName(section: entry.section, key: entry.key), now: entry.line) {
            faults.append(
                SettingsError(
                    file: name, line: entry.line, section: entry.section, key: entry.key,
                    reason: "stands in line \(first) already", allowed: "once"))
        }
        entries.append(entry)
    }

    /// The line where the name stood before this one; `nil`: it is new.
    private mutating func firstLine(of name: SettingName, now line: Int) -> Int? {
        if let first = firstLines[name] { return first }
        firstLines[name] = line
        return nil
    }

    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
