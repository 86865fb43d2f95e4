import HeadingPipeline
import Testing

@Suite("Nearest name")
struct NearestNameTests {
    private static let names = ["host", "port", "password_file", "tls_ca", "tls_cert", "client_id", "qos"]

    @Test(
        "is the one with the fewest typing errors",
        arguments: [
            ("prot", "port"), ("ports", "port"), ("PORT", "port"), ("hst", "host"), ("tls-ca", "tls_ca"),
            ("password", "password_file"), ("cert", "tls_cert"), ("clientid", "client_id"), ("qs", "qos"),
        ])
    func finds(name: String, nearest: String) {
        #expect(NearestName.nearest(to: name, among: Self.names) == nearest)
    }

    @Test("is none where nothing is near", arguments: ["", "zzzz", "a", "xyz", "temperature", "\u{1F6A2}"])
    func findsNothing(name: String) {
        #expect(NearestName.nearest(to: name, among: Self.names) == nil)
    }

    @Test("is none among no names")
    func ofNothing() { #expect(NearestName.nearest(to: "port", among: []) == nil) }
}
