import Glibc
import HeadingPipeline
import Testing

@testable import compass_mqtt

@Suite("PasswordFile")
struct PasswordFileTests {
    private func file(_ content: String, mode: mode_t = 0o600) -> String {
        let path = "/tmp/compass-mqtt-password-\(getpid())-\(UInt.random(in: 0...UInt.max))"
        let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        _ = content.withCString { write(descriptor, $0, strlen($0)) }
        fchmod(descriptor, mode)
        close(descriptor)
        return path
    }

    private func read(_ path: String) throws(SessionFault) -> String {
        try PasswordFile(path: path).withPassword { String(cString: $0) }
    }

    @Test(
        "takes the password without the newline of the editor",
        arguments: [
            ("secret", "secret"), ("secret\n", "secret"), ("secret\r\n", "secret"), (" a b \n", " a b "),
        ])
    func trailingNewline(content: String, password: String) throws {
        let path = file(content)
        defer { unlink(path) }
        #expect(try read(path) == password)
    }

    @Test(
        "refuses a file that others can read, with the command that mends it",
        arguments: [0o640, 0o604, 0o660])
    func mode(mode: mode_t) {
        let path = file("secret", mode: mode)
        defer { unlink(path) }
        let reason = "mqtt.password_file: others can read \(path): run chmod 600 '\(path)'"
        #expect(throws: SessionFault.settings(reason)) { try read(path) }
    }

    @Test("names a file that is not there")
    func missing() {
        let reason = "mqtt.password_file: cannot read /nowhere: No such file or directory"
        #expect(throws: SessionFault.settings(reason)) { try read("/nowhere") }
    }
}

@Suite("Endpoint")
struct EndpointTests {
    private func all(_ change: (inout Settings.Mqtt) -> Void) throws(SessionFault) -> [Endpoint] {
        var settings = Settings().mqtt
        change(&settings)
        return try Endpoint.all(for: settings)
    }

    @Test("the port is 1883, with TLS 8883, or the one that is set")
    func ports() throws {
        #expect(try all { _ in } == [.tcp(address: "127.0.0.1", port: 1883)])
        #expect(try all { $0.tls.isEnabled = true } == [.tcp(address: "127.0.0.1", port: 8883)])
        #expect(try all { $0.port = 9 } == [.tcp(address: "127.0.0.1", port: 9)])
        #expect(try all { $0.host = "::1" } == [.tcp(address: "::1", port: 1883)])
        #expect(try all { $0.socket = "/run/m.sock" } == [.unixSocket(path: "/run/m.sock")])
    }

    @Test("a name that nobody knows is unreachable and is named")
    func unknownName() {
        // RFC 2606: never a real domain.
        do throws(SessionFault) {
            _ = try all { $0.host = "broker.invalid" }
            Issue.record("is found")
        } catch {
            #expect(error.reason.hasPrefix("cannot find broker.invalid: "))
            #expect(!error.needsOperator)
        }
    }

    @Test(
        "tells an address from a name", arguments: [("127.0.0.1", true), ("::1", true), ("localhost", false)])
    func addresses(host: String, isAddress: Bool) { #expect(Endpoint.isAddress(host) == isAddress) }
}
