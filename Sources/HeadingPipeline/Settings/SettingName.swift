/// How the config file calls a thing: a key in its section, a key before any section, or a section.
package struct SettingName: Hashable, Sendable {
    package var section: String?
    package var key: String?

    package init(section: String?, key: String?) {
        self.section = section
        self.key = key
    }

    /// From `section.key`, as the error lines write it.
    package init(_ dotted: String) {
        let parts = dotted.split(separator: ".", maxSplits: 1).map(String.init)
        self.init(section: parts.first, key: parts.dropFirst().first)
    }
}
