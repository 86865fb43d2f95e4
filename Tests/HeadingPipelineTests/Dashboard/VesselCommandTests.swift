import HeadingPipeline
import Testing

@Suite("A command from the page")
struct VesselCommandTests {
    private func command(_ members: String) -> VesselCommand? {
        VesselCommand(Array("{\"vessel\":\"compass/a\",\(members)}".utf8))
    }

    @Test(
        "becomes the message that the vessel understands",
        arguments: [
            ("\"command\":\"steer\",\"value\":95", "steer/set", "95.0"),
            ("\"command\":\"steer\",\"value\":0", "steer/set", "0.0"),
            ("\"command\":\"steer\",\"value\":359.96", "steer/set", "0.0"),
            ("\"command\":\"steer\",\"value\":-0.5", "steer/set", "359.5"),
            ("\"command\":\"steer\",\"value\":null", "steer/set", ""),
            ("\"command\":\"trip\"", "trip/set", "reset"),
            ("\"command\":\"reference\",\"value\":\"magnetic\"", "reference/set", "magnetic"),
            ("\"command\":\"destination\",\"value\":null", "destination/set", ""),
            (
                "\"command\":\"destination\",\"name\":\"A \\\"b\\\"\",\"latitude\":-33.9,\"longitude\":18.4",
                "destination/set",
                "{\"name\":\"A \\\"b\\\"\",\"latitude\":-33.9000000,\"longitude\":18.4000000}"
            ),
        ])
    func isUnderstood(members: String, path: String, payload: String) {
        let command = command(members)
        #expect(command?.base == "compass/a")
        #expect(command?.path == path)
        #expect(command.map { String(decoding: $0.payload, as: UTF8.self) } == payload)
    }

    @Test(
        "is refused where a vessel could not understand it",
        arguments: [
            "\"command\":\"steer\"", "\"command\":\"steer\",\"value\":\"95\"",
            "\"command\":\"steer\",\"value\":1e300",
            "\"command\":\"steer/set\",\"value\":1", "\"command\":\"\"", "\"command\":7",
            "\"command\":\"reference\",\"value\":\"north\"",
            "\"command\":\"destination\",\"latitude\":90.1,\"longitude\":0",
            "\"command\":\"destination\",\"latitude\":1,\"longitude\":180.5",
            "\"command\":\"destination\",\"longitude\":1",
        ])
    func isRefused(members: String) { #expect(command(members) == nil) }

    @Test(
        "is refused whole where the request is no single object", arguments: ["", "[]", "null", "{", "{} x"])
    func isNoObject(text: String) { #expect(VesselCommand(Array(text.utf8)) == nil) }

    @Test("any bytes give a command or none")
    func survivesAnything() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let count = Int.random(in: 0...60, using: &random)
            _ = VesselCommand((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }
}
