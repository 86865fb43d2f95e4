import HeadingPipeline
import Testing

/// `config/compass-mqtt.conf` is the documentation of the keys: it and the code must say the same.
@Suite("The sample config")
struct SampleConfigTests {
    private let text: String

    init() throws { text = try readFile(projectRoot + "/config/compass-mqtt.conf") }

    @Test("loads, and every key that stands in it stands at its default")
    func isAtDefaults() throws {
        let loaded = try Settings.load(Array(text.utf8), file: "sample")
        #expect(loaded.settings == Settings())
    }

    @Test("has every key once, in its section: with a value where it has a default, else as an example")
    func isComplete() {
        let stands = entries(of: text).map { "\($0.section).\($0.key)" + ($0.isExample ? " unset" : "") }
        let declared = SettingsSchema.standard.sections.flatMap { section in
            section.keys.map { "\(section.name).\($0.name)" + ($0.whenUnset == nil ? "" : " unset") }
        }
        #expect(stands == declared)
    }

    @Test("shows examples that are allowed")
    func examplesAreValid() throws {
        for entry in entries(of: text) where entry.isExample {
            // What an example cannot stand without.
            let partner = [
                "password_file": "username = a", "tls_cert": "tls_key = /a", "tls_key": "tls_cert = /a",
            ]
            let tls = entry.section == "mqtt" && entry.key.hasPrefix("tls_") ? "tls = yes\n" : ""
            let config = "[\(entry.section)]\n\(tls)\(partner[entry.key] ?? "")\n\(entry.line)\n"
            #expect(throws: Never.self, "\(entry.line)") {
                try Settings.load(Array(config.utf8), file: "example")
            }
        }
    }

    @Test("says above each key what is allowed, in which unit, and what holds while it is not set")
    func explainsEachKey() throws {
        for entry in entries(of: text) {
            let key = try #require(SettingsSchema.standard.key(entry.key, in: entry.section))
            #expect(entry.comment.contains(key.allowed), "\(entry.section).\(entry.key)")
            if let unset = key.whenUnset {
                #expect(entry.comment.contains("Not set: \(unset)."), "\(entry.section).\(entry.key)")
            }
        }
    }

    @Test("has no line over 90 characters")
    func fitsTheScreen() {
        #expect(text.split(separator: "\n").filter { $0.count > 90 }.map(String.init) == [])
    }

    private struct Entry {
        var section: String
        var key: String
        var isExample: Bool
        /// Without the `#` of an example.
        var line: String
        /// The lines right above, joined with blanks.
        var comment: String
    }

    /// A key at the start of a line, or right after a `#`: comments have a blank there.
    private func entries(of text: String) -> [Entry] {
        var entries: [Entry] = []
        var section = ""
        var comment: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let setting = line.hasPrefix("#") ? line.dropFirst() : line
            if line.hasPrefix("# ") {
                comment.append(line.dropFirst(2))
            } else if line.hasPrefix("[") {
                section = String(line.dropFirst().dropLast())
            } else if let end = setting.firstIndex(of: " "), !section.isEmpty {
                entries.append(
                    Entry(
                        section: section, key: String(setting[..<end]), isExample: line.hasPrefix("#"),
                        line: String(setting), comment: comment.joined(separator: " ")))
            } else {
                comment = []
            }
        }
        return entries
    }
}
