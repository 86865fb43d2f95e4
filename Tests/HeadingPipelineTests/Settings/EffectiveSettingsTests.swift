import HeadingPipeline
import Testing

@Suite("Settings in force")
struct EffectiveSettingsTests {
    private func load(_ text: String) throws -> LoadedSettings {
        try Settings.load(Array(text.utf8), file: "boat.conf")
    }

    @Test("are printed as a config file that gives the same settings")
    func readBack() throws {
        let loaded = try load(
            """
            [agent]
            name = " #1 \\"Möwe\\" "
            [magnetometer]
            device = bus:1-001e
            axes = -y +z -x
            mount_matrix = 0.866 -0.5 0; 0.5 0.866 0; 0 0 1
            hard_iron = -0.000001 12.5 -4999.999999999
            soft_iron = 1.02 0.01 0; 0.01 0.98 0; 0 0 1
            [heading]
            offset = -33.3
            declination = 14.854
            [publish]
            heartbeat = 0001.5
            speed_deadband = 0.1
            [mqtt]
            username = a"b\\c
            keepalive = 7
            """)
        let again = try load(loaded.effectiveText())
        #expect(again.settings == loaded.settings)
        #expect(try load(Settings.standardText()).settings == Settings())
    }

    @Test("say of each value where it comes from")
    func origin() throws {
        let lines = try load("[gps]\nport = 2948\n").effectiveText().split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("port = 2948 ") && $0.hasSuffix(" # boat.conf:2") })
        #expect(lines.contains { $0.hasPrefix("host = 127.0.0.1 ") && $0.hasSuffix(" # default") })
        #expect(lines.contains { $0.hasPrefix("#device = ") && $0.hasSuffix(" # default: any receiver") })
    }

    @Test("never show a secret, right or wrong")
    func secrets() throws {
        let schema = SettingsSchema([
            SettingsSchema.Section(
                "agent", [SettingKey("token", \.agent.name, .short, unset: "none", .secret)])
        ])
        let loaded = try Settings.load(Array("[agent]\ntoken = abc".utf8), file: "boat.conf", schema: schema)
        #expect(loaded.settings.agent.name == "abc")
        #expect(loaded.effectiveText(schema: schema).contains("token = (set) "))
        #expect(!loaded.effectiveText(schema: schema).contains("abc"))
        do throws(SettingsFaults) {
            _ = try Settings.load(Array("[agent]\ntoken = abcdefgh".utf8), file: "boat.conf", schema: schema)
            Issue.record("is accepted")
        } catch {
            #expect(error.description == "boat.conf:2: agent.token: is too long, allowed: short text")
        }
    }
}

extension Settings {
    fileprivate static func standardText() -> String { LoadedSettings.defaults.effectiveText() }
}

extension ValueFormat<String> {
    fileprivate static let short = ValueFormat(
        "short text",
        read: { (text) throws(ValueFault) in
            guard text.utf8.count < 6 else { throw ValueFault("is too long") }
            return text
        }, write: { $0 })
}
