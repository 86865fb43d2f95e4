extension LoadedSettings {
    /// All settings in force, as a config file that gives the same settings, each with where it comes from.
    package func effectiveText(schema: SettingsSchema = .standard) -> String {
        schema.sections.map { section in
            let keys = section.keys.map { line(of: $0, in: section.name) }
            return "[\(section.name)]\n" + keys.map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    private func line(of key: SettingKey<Settings>, in section: String) -> String {
        let origin = origin(of: SettingName(section: section, key: key.name))
        guard let value = key.text(in: settings) else {
            return Self.aligned("#\(key.name) =") + " # \(origin): \(key.whenUnset ?? "unset")"
        }
        let shown = key.secrecy == .secret ? "(set)" : ConfigLine.written(value)
        return Self.aligned("\(key.name) = \(shown)") + " # \(origin)"
    }

    private func origin(of name: SettingName) -> String {
        if let other = otherOrigins[name] { return other }
        guard let file, let line = lines[name] else { return "default" }
        return "\(file):\(line)"
    }

    private static func aligned(_ text: String) -> String {
        text + String(repeating: " ", count: max(0, 40 - text.count))
    }
}

extension Settings {
    /// A config file that gives the same settings, without what is secret and without the sections named.
    package func configText(
        leavingOut sections: Set<String> = [], schema: SettingsSchema = .standard
    ) -> String {
        schema.sections.filter { !sections.contains($0.name) }.map { section in
            let lines = section.keys.filter { $0.secrecy != .secret }.compactMap { key in
                key.text(in: self).map { "\(key.name) = \(ConfigLine.written($0))\n" }
            }
            return "[\(section.name)]\n" + lines.joined()
        }.joined()
    }
}

extension ConfigLine {
    /// A value as it must be written so that it is read back as it is: in quotes where it needs them.
    package static func written(_ value: String) -> String {
        if ConfigLine(Array("key = \(value)".utf8)[...]) == .entry(key: "key", value: value) { return value }
        return quoted(value)
    }

    /// By scalars: a quote with a combining mark after it is one character, and a quote to who reads it.
    package static func quoted(_ value: String) -> String {
        let escaped = value.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
        return "\"" + escaped.joined() + "\""
    }
}
