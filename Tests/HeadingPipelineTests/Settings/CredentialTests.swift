import HeadingPipeline
import Testing

@Suite("Files that are systemd's credentials")
struct CredentialTests {
    @Test(
        "are named by letters, digits and . _ - @, and never lead out of their folder",
        arguments: [
            ("credential:mqtt-password", true), ("credential:a.b_c@1", true), ("credential:", false),
            ("credential:..", false), ("credential:.", false), ("credential:a/b", false),
            ("credential:a b", false),
            ("credential:\u{e4}", false), ("Credential:a", false), ("/etc/password", false),
        ])
    func names(text: String, isCredential: Bool) {
        #expect((Credential(text) != nil) == isCredential)
    }

    @Test("stand in the config wherever a file is read, and nowhere else")
    func standInTheConfig() throws {
        let config = """
            [mqtt]
            username = boat
            password_file = credential:password
            tls = yes
            tls_ca = credential:ca
            tls_cert = credential:cert
            tls_key = credential:key
            [dashboard]
            token_file = credential:token
            tls_cert = credential:page-cert
            tls_key = /etc/page.key
            """
        let settings = try Settings.load(Array(config.utf8), file: "boat.conf").settings
        let found = settings.withCredentials(in: "/run/credentials/boat.service")
        #expect(found.mqtt.passwordFile == "/run/credentials/boat.service/password")
        #expect(found.mqtt.tls.authorityFile == "/run/credentials/boat.service/ca")
        #expect(found.mqtt.tls.certificateFile == "/run/credentials/boat.service/cert")
        #expect(found.mqtt.tls.keyFile == "/run/credentials/boat.service/key")
        #expect(found.dashboard.tokenFile == "/run/credentials/boat.service/token")
        #expect(found.dashboard.certificateFile == "/run/credentials/boat.service/page-cert")
        #expect(found.dashboard.keyFile == "/etc/page.key")
        #expect(throws: SettingsFaults.self) {
            try Settings.load(Array("[agent]\nstate_dir = credential:state\n".utf8), file: "boat.conf")
        }
    }
}
