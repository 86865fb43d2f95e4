/// The settings of a config file, all of them valid, and where each was given.
package struct LoadedSettings: Sendable {
    package var settings: Settings
    /// `nil`: no file was read, all settings stand at their defaults.
    package let file: String?
    /// The line of each key that the file gives; the others stand at their defaults.
    package let lines: [SettingName: Int]
    /// Settings that neither the file nor the defaults have given, and what has.
    package var otherOrigins: [SettingName: String] = [:]

    package static let defaults = LoadedSettings(settings: Settings(), file: nil, lines: [:])
}

extension Settings {
    /// Reads a config file whole. A file with one fault gives no settings at all, and every fault is told.
    package static func load(
        _ bytes: [UInt8], file: String, schema: SettingsSchema = .standard
    ) throws(SettingsFaults) -> LoadedSettings {
        var reader = SettingsReader(ConfigFile(bytes, name: file), schema)
        return try reader.read()
    }
}

private struct SettingsReader {
    private let file: ConfigFile
    private let schema: SettingsSchema
    private var settings = Settings()
    private var faults: [SettingsError]
    private var lines: [SettingName: Int] = [:]

    init(_ file: ConfigFile, _ schema: SettingsSchema) {
        self.file = file
        self.schema = schema
        faults = file.faults
    }

    mutating func read() throws(SettingsFaults) -> LoadedSettings {
        for section in file.sections where schema.section(section.name) == nil {
            let help = schema.help(unknownSection: section.name)
            faults.append(fault(SettingName(section: section.name, key: nil), at: section.line, help))
        }
        for entry in file.entries { take(entry) }
        faults += brokenRules()
        guard faults.isEmpty else {
            throw SettingsFaults(faults.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
        }
        return LoadedSettings(settings: settings, file: file.name, lines: lines)
    }

    private mutating func take(_ entry: ConfigFile.Entry) {
        let name = SettingName(section: entry.section, key: entry.key)
        guard let section = entry.section else {
            faults.append(fault(name, at: entry.line, "stands before any section", "[section] above it"))
            return
        }
        guard schema.section(section) != nil else { return }
        guard let key = schema.key(entry.key, in: section) else {
            faults.append(fault(name, at: entry.line, schema.help(unknownKey: entry.key, in: section)))
            return
        }
        lines[name] = entry.line
        guard !entry.value.isEmpty else {
            faults.append(fault(name, at: entry.line, "has no value", key.allowed))
            return
        }
        do throws(ValueFault) { try key.read(entry.value, &settings) } catch {
            var fault = fault(name, at: entry.line, error.reason, key.allowed)
            if key.secrecy == .open { fault.value = entry.value }
            faults.append(fault)
        }
    }

    private func brokenRules() -> [SettingsError] {
        let faulty = Set(faults.map { SettingName(section: $0.section, key: $0.key) })
        return SettingsRule.all.compactMap { rule in
            guard faulty.isDisjoint(with: [rule.key] + rule.others), rule.isBroken(settings) else {
                return nil
            }
            let named = ([rule.key] + rule.others).first { lines[$0] != nil } ?? rule.key
            return fault(rule.key, at: lines[named], rule.reason, rule.allowed)
        }
    }

    private func fault(
        _ name: SettingName, at line: Int?, _ reason: String, _ allowed: String? = nil
    ) -> SettingsError {
        SettingsError(
            file: file.name, line: line, section: name.section, key: name.key, reason: reason,
            allowed: allowed)
    }
}
