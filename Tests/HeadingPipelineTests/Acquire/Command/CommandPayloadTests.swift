import HeadingPipeline
import Testing

@Suite("A command's payload")
struct CommandPayloadTests {
    private func read(_ topic: CommandTopic, _ payload: String) throws(CommandFault) -> CommandPayload {
        try CommandPayload(topic, Array(payload.utf8))
    }

    private static let fowey = Waypoint(position: place(50.3275, -4.6357), name: "Fowey")

    @Test(
        "is read with the config file's formats",
        arguments: [
            (.steer, "120", .steer(OrderedCourse(.degrees(120)))),
            (.steer, "0", .steer(OrderedCourse(.zero))),
            (.steer, " 359.9\n", .steer(OrderedCourse(.degrees(359.9)))), (.steer, "", .steer(nil)),
            (.reference, "true", .reference(.trueNorth)), (.reference, "magnetic", .reference(.magnetic)),
            (.smoothing, "0", .smoothing(.zero)), (.smoothing, "2.5", .smoothing(.seconds(2.5))),
            (.headingOffset, "-12.5", .headingOffset(.degrees(-12.5))), (.trip, "reset", .resetTrip),
            (.destination, "", .destination(nil)),
            (
                .destination, #"{"latitude":50.3275,"longitude":-4.6357,"name":"Fowey"}"#,
                .destination(fowey)
            ),
            (
                .destination, #" { "name" : null, "longitude" : 180, "latitude" : -90, "more": [1] } "#,
                .destination(Waypoint(position: place(-90, 180)))
            ),
            (
                .destination, #"{"latitude":0,"longitude":1e-3,"name":""}"#,
                .destination(Waypoint(position: place(0, 0.001)))
            ),
        ] as [(CommandTopic, String, OperatorCommand)])
    func accepted(topic: CommandTopic, payload: String, command: OperatorCommand) throws {
        #expect(try read(topic, payload) == .command(command))
    }

    @Test(
        "of a document that tells a course, the course counts, and the north that it names",
        arguments: [
            (
                #"{"value":120.5,"unit":"°","reference":"true","error":-3.1,"error_course":null,"time":null}"#,
                .trueNorth
            ), (#"{"reference":"magnetic","value":120.5}"#, .magnetic), (#" {"value": 1205e-1} "#, nil),
            (#"{"a\\u0000":"\\\"012","value":120.50e-00,"b":[0,0.01]}"#, nil),
            (#"{"value":120.5,"reference":null}"#, nil),
        ] as [(String, Settings.Reference?)])
    func courseDocument(document: String, reference: Settings.Reference?) throws {
        #expect(
            try read(.steer, document) == .command(.steer(OrderedCourse(.degrees(120.5), from: reference))))
    }

    @Test("gives a setting back to the config file")
    func configured() throws {
        for topic in [CommandTopic.reference, .smoothing, .headingOffset] {
            #expect(try read(topic, " default\n") == .configured(topic))
        }
    }

    @Test("starts and stops a calibration", arguments: CommandPayload.CalibrationCommand.allCases)
    func calibration(command: CommandPayload.CalibrationCommand) throws {
        #expect(try read(.calibration, command.rawValue) == .calibration(command))
    }

    @Test(
        "is refused with a reason",
        arguments: [
            (.steer, "360", "is out of range"), (.steer, "-1", "is out of range"),
            (.steer, "abc", "is not a plain number such as 12.5"),
            (.steer, "12,5", "is not a number: the decimal sign is a point"),
            (.steer, "1e2", "is not a plain number such as 12.5"),
            (.steer, "nan", "is not a plain number such as 12.5"),
            (.steer, "12\u{0}", "is not a plain number such as 12.5"),
            (.reference, "True", "is not known"), (.reference, "", "is empty"),
            (.smoothing, "61", "is out of range"), (.smoothing, "", "is empty"),
            (.headingOffset, "180.1", "is out of range"),
            (.headingOffset, "\"5\"", "is not a plain number such as 12.5"),
            (.trip, "", "is empty"), (.trip, "RESET", "is not known"),
            (.calibration, "begin", "is not known"),
            (.steer, "default", "is not a plain number such as 12.5"), (.trip, "default", "is not known"),
            (.steer, "{}", "has no number as value"), (.steer, #"{"value":"120"}"#, "has no number as value"),
            (.steer, #"{"value":1,"value":2}"#, "names a member twice"),
            (.steer, #"{"value":012}"#, "has a number that begins with 0"),
            (.steer, #"{"value": -00}"#, "has a number that begins with 0"),
            (
                .destination, #"{"latitude":50,"longitude":-4,"name":"Fowey\u0000x"}"#,
                "has a text with a zero byte"
            ),
            (.steer, #"{"value":1,"reference":"grid"}"#, "has a reference that is not known"),
            (.steer, #"{"value":1,"reference":1}"#, "has a reference that is no text"),
            (.steer, #"{"value":null}"#, "has no number as value"),
            (.steer, "{120", "is not one JSON object"),
            (.steer, #"{"value":360}"#, "is out of range"), (.steer, #"{"value":-1e-3}"#, "is out of range"),
            (.trip, #"{"value":1.23,"unit":"nmi"}"#, "is a state, and sets nothing"),
            (.calibration, #"{"state":"idle"}"#, "is a state, and sets nothing"),
            (.smoothing, #"{"value":1}"#, "is not a plain number such as 12.5"),
            (.destination, "Fowey", "is not one JSON object"),
            (.destination, "[50, -4]", "is not one JSON object"),
            (.destination, "{\"latitude\":1,\"longitude\":2", "is not one JSON object"),
            (.destination, "{\"latitude\":1,\"longitude\":2}{}", "is not one JSON object"),
            (.destination, "{}", "has no number as latitude"),
            (.destination, #"{"latitude":"50","longitude":2}"#, "has no number as latitude"),
            (.destination, #"{"latitude":50}"#, "has no number as longitude"),
            (.destination, #"{"latitude":90.1,"longitude":2}"#, "has a latitude that is out of range"),
            (.destination, #"{"latitude":1e999,"longitude":2}"#, "has no number as latitude"),
            (.destination, #"{"latitude":9,"longitude":-181}"#, "has a longitude that is out of range"),
            (.destination, #"{"latitude":9,"longitude":1,"name":5}"#, "has a name that is no text"),
            (
                .destination, #"{"latitude":9,"longitude":1,"name":"a\nb"}"#,
                "has a name with control characters"
            ),
        ] as [(CommandTopic, String, String)])
    func refused(topic: CommandTopic, payload: String, reason: String) {
        do throws(CommandFault) {
            Issue.record("\(try read(topic, payload))")
        } catch {
            #expect(error.reason == reason)
            #expect(!error.allowed.isEmpty)
        }
    }

    @Test("is never too long, nor in another encoding")
    func bounds() {
        let long = [UInt8](repeating: UInt8(ascii: " "), count: CommandPayload.longest + 1)
        for (payload, reason) in [(long, "is longer than 1024 bytes"), ([0x31, 0xFF], "is not UTF-8")] {
            for topic in CommandTopic.allCases {
                do throws(CommandFault) {
                    Issue.record("\(try CommandPayload(topic, payload))")
                } catch {
                    #expect(error.reason == reason)
                }
            }
        }
        let name = String(repeating: "ö", count: 101)
        #expect(throws: CommandFault.self) {
            try read(.destination, #"{"latitude":9,"longitude":1,"name":""# + name + #""}"#)
        }
    }

    @Test("whatever the bytes, gives a command or a reason", arguments: [1, 2, 3] as [UInt64])
    func anyBytes(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let pieces = Array(#"{"latitude":50.1,"longitude":-4}[]\u0000 reset true 1e9 -. "#.utf8)
        for _ in 0..<5000 {
            let count = Int.random(in: 0...60, using: &random)
            let payload: [UInt8] = (0..<count).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random) : pieces.randomElement(using: &random) ?? 0
            }
            for topic in CommandTopic.allCases { _ = try? CommandPayload(topic, payload) }
        }
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1000)
        _ = try? CommandPayload(.destination, Array(#"{"a":"#.utf8) + deep)
    }
}
