import HeadingPipeline
import Testing

/// Each folder of `Fixtures/config` holds a config file and what must come of it: its faults line by line, or
/// the values that it gives.
@Suite("Config file")
struct ConfigCaseTests {
    private static let cases = Fixtures.cases("config")

    @Test("there are cases")
    func found() { #expect(Self.cases.count > 50) }

    @Test("gives the settings or all the faults", arguments: cases)
    func matches(name: String) throws {
        let folder = "\(Fixtures.folder)/config/\(name)"
        let bytes = try readBytes(folder + "/compass-mqtt.conf")
        let expected = try readFile(folder + "/expected")
        #expect(outcome(of: bytes) == expected)
    }

    private func outcome(of bytes: [UInt8]) -> String {
        do throws(SettingsFaults) {
            return given(try Settings.load(bytes, file: "compass-mqtt.conf"))
        } catch {
            return error.description + "\n"
        }
    }

    /// The values of the keys that the file gives, as `check --effective` writes them.
    private func given(_ loaded: LoadedSettings) -> String {
        SettingsSchema.standard.sections.flatMap { section in
            section.keys.compactMap { key in
                guard loaded.lines[SettingName(section: section.name, key: key.name)] != nil else {
                    return nil
                }
                let value = key.text(in: loaded.settings).map(ConfigLine.written) ?? "unset"
                return "\(section.name).\(key.name) = \(value)\n"
            }
        }.joined()
    }
}
