import HeadingPipeline
import Testing

@Suite("A command from the page")
struct VesselCommandTests {
    private func command(_ members: String) -> VesselCommand? {
        try? VesselCommand(Array("{\"vessel\":\"compass/a\",\(members)}".utf8))
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
            "\"command\":\"smoothing\",\"value\":1", "\"command\":\"heading_offset\",\"value\":1",
        ])
    func isRefused(members: String) { #expect(command(members) == nil) }

    @Test(
        "says of a destination what the agent would say",
        arguments: [
            ("\"latitude\":90.1,\"longitude\":0", "has a latitude that is out of range"),
            ("\"latitude\":0,\"longitude\":-180.1", "has a longitude that is out of range"),
            ("\"latitude\":1", "has no number as longitude"),
            ("\"latitude\":1,\"longitude\":1,\"name\":\"a\\u0007b\"", "has a name with control characters"),
        ])
    func tellsWhy(members: String, reason: String) {
        let request = "{\"vessel\":\"compass/a\",\"command\":\"destination\",\(members)}"
        #expect {
            _ = try VesselCommand(Array(request.utf8))
        } throws: {
            ($0 as? CommandFault)?.reason == reason
        }
    }

    @Test("takes a destination's name as long as the agent does", arguments: [(100, true), (101, false)])
    func limitsName(count: Int, isTaken: Bool) {
        let name = String(repeating: "ü", count: count)
        let members = "\"command\":\"destination\",\"latitude\":1,\"longitude\":1,\"name\":\"\(name)\""
        #expect((command(members) != nil) == isTaken)
    }

    @Test(
        "is refused whole where the request is no single object", arguments: ["", "[]", "null", "{", "{} x"])
    func isNoObject(text: String) { #expect((try? VesselCommand(Array(text.utf8))) == nil) }

    @Test("any bytes give a command or none")
    func survivesAnything() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let count = Int.random(in: 0...60, using: &random)
            _ = try? VesselCommand((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }
}
