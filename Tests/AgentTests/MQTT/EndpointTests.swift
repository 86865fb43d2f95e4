import HeadingPipeline
import Testing

@testable import compass_mqtt

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
    func addresses(host: String, isAddress: Bool) { #expect(SocketAddress.isNumeric(host) == isAddress) }
}
