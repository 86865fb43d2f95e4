/// One fault of the config file: where it is, what is wrong, what is allowed.
package struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// From 1; `nil`: the fault is the file's, not a line's.
    package var line: Int?
    package var section: String?
    package var key: String?
    /// As written in the file; `nil` where there is none or it must not be shown.
    package var value: String?
    /// Reads on after the value: "is out of range".
    package var reason: String
    package var allowed: String?

    package init(
        file: String, line: Int? = nil, section: String? = nil, key: String? = nil, value: String? = nil,
        reason: String, allowed: String? = nil
    ) {
        self.file = file
        self.line = line
        self.section = section
        self.key = key
        self.value = value
        self.reason = reason
        self.allowed = allowed
    }

    /// `file:line: section.key: what is wrong, what is allowed`.
    package var description: String {
        var text = line.map { "\(file):\($0): " } ?? "\(file): "
        if let subject { text += subject + ": " }
        if let value { text += VisibleText.quoted(value) + " " }
        text += reason
        if let allowed { text += ", allowed: " + allowed }
        return text
    }

    private var subject: String? {
        switch (section, key) {
        case (let section?, let key?): VisibleText.plain(section) + "." + VisibleText.plain(key)
        case (let section?, nil): "[" + VisibleText.plain(section) + "]"
        case (nil, let key?): VisibleText.plain(key)
        case (nil, nil): nil
        }
    }
}

/// All faults of a config file, in the order of its lines; never empty.
package struct SettingsFaults: Error, Hashable, Sendable, CustomStringConvertible {
    package let faults: [SettingsError]
    package init(_ faults: [SettingsError]) { self.faults = faults }

    /// One line a fault.
    package var description: String { faults.map(\.description).joined(separator: "\n") }
}
