import HeadingPipeline
import Testing

@Suite("Kept state")
struct KeptStateTests {
    private static let commands: [OperatorCommand] = [
        .destination(Waypoint(position: place(50.327_512_3, -4.635_7), name: #"Fowey "W" \ #1"#)),
        .steer(OrderedCourse(.degrees(120.5), from: .magnetic)), .reference(.magnetic),
        .smoothing(.seconds(2.5)),
        .headingOffset(.degrees(-3.3)),
    ]

    private var full: KeptState {
        var state = KeptState()
        for command in Self.commands { state.adopt(command) }
        state.trip = TripTotals(
            distance: .meters(22_345.6), maximumSpeed: .metersPerSecond(3.605),
            since: UTCTime(year: 2026, month: 11, day: 30))
        state.storedMessages.note(Array("120.5".utf8), of: .steer, isSurelyStored: true)
        for value in 0..<20 {
            state.storedMessages.note(Array("\(value)".utf8), of: .smoothing, isSurelyStored: false)
        }
        return state
    }

    private func read(_ text: String) throws(KeptStateFault) -> KeptState {
        try KeptState(parsing: Array(text.utf8))
    }

    @Test("is read back as it was written, and stays a readable file")
    func roundTrip() throws {
        let text = full.text
        let back = try read(text)
        #expect(back.text == text)
        #expect(back.trip == full.trip && back.storedMessages == full.storedMessages)
        #expect(back.storedMessages.knows(Array("120.5".utf8), of: .steer))
        #expect(back.storedMessages.knows(Array("19".utf8), of: .smoothing))
        #expect(back.steer == full.steer)
        #expect(back.destination?.name == full.destination?.name)
        for line in ["[destination]", "latitude = 50.327512300", "reference = magnetic", "course = 120.5"] {
            #expect(text.split(separator: "\n").contains { $0 == line }, "\(line)\n\(text)")
        }
    }

    /// A quote with a combining mark after it is one character and still a quote.
    @Test("a name of any characters is read back", arguments: ["\"\u{301}", "\\\u{301}", "a\"b\\", "#x = 1"])
    func names(name: String) throws {
        var state = full
        state.adopt(.destination(Waypoint(position: place(50, -4), name: name)))
        #expect(
            try read(state.text).destination?.name?.unicodeScalars.elementsEqual(name.unicodeScalars) == true)
    }

    @Test("holds nothing at first, and nothing of what was cleared")
    func empty() throws {
        #expect(try read(KeptState().text) == KeptState())
        var state = full
        state.adopt(.destination(nil))
        state.adopt(.steer(nil))
        #expect(state.guidance.isEmpty && !state.text.contains("Fowey"))
    }

    @Test("what is given back to the config file is kept no longer, the rest is")
    func givenBack() throws {
        var state = full
        state.giveBack(.smoothing)
        #expect(state.settings == [.reference(.magnetic), .headingOffset(.degrees(-3.3))])
        let config = "[heading]\nsmoothing = 4\noffset = 1\n[commands]\nenabled = yes\n"
        var loaded = try Settings.load(Array(config.utf8), file: "boat.conf")
        #expect(loaded.settings.heading.command(for: .smoothing) == .smoothing(.seconds(4)))
        loaded.adopt(try read(state.text), from: "/x/state.conf")
        let lines = loaded.effectiveText().split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("smoothing = 4 ") && $0.hasSuffix("# boat.conf:2") })
        #expect(
            lines.contains {
                $0.hasPrefix("offset = -3.3 ") && $0.hasSuffix("# command, kept in /x/state.conf")
            })
    }

    @Test(
        "that is damaged is refused, never half taken",
        arguments: [
            "", "\u{0}\u{1}", "[heading]\nreference = north\n", "[heading]\nsmoothing = 99\n",
            "[steer]\ncourse = x\n", "[steer]\nreference = true\n", "[steer]\ncourse = 1\nreference = grid\n",
            "[destination]\nlatitude = 50\n", "[destination]\nname = a\n", "[trip]\nsince = yesterday\n",
            "[trip]\ndistance_meters = -1\n", "[stored_messages]\nsteer = xyz\n",
            "[stored_messages]\nhelm = 12\n", "[perhaps_stored_messages]\nsteer = xyz\n",
            "[heading]\ncolour = red\n", "reference = true\n", "[heading\n",
            "[heading]\nreference = true\nreference = true\n",
        ])
    func damaged(text: String) {
        #expect(throws: KeptStateFault.self) { try read(text) }
    }

    @Test(
        "cut off anywhere it is the old one, a shorter one, or refused",
        arguments: [7, 20, 60, 100, 200, 300])
    func cutOff(count: Int) {
        _ = try? KeptState(parsing: Array(full.text.utf8.prefix(count)))
    }

    @Test(
        "settings by command go before the config file, and say so; while no commands are taken they do not")
    func effective() throws {
        let config = "[heading]\noffset = 1\ndeclination = 2\n[commands]\nenabled = "
        for (enabled, isInForce) in [("yes", true), ("no", false)] {
            var loaded = try Settings.load(Array((config + enabled).utf8), file: "boat.conf")
            loaded.adopt(full, from: "/var/lib/x/state.conf")
            #expect(loaded.settings.heading.offset == .degrees(isInForce ? -3.3 : 1))
            let lines = loaded.effectiveText().split(separator: "\n")
            let origin = isInForce ? "# command, kept in /var/lib/x/state.conf" : "# boat.conf:2"
            #expect(lines.contains { $0.hasPrefix("offset = ") && $0.hasSuffix(origin) })
            #expect(lines.contains { $0.hasPrefix("declination = 2 ") && $0.hasSuffix("# boat.conf:3") })
        }
    }
}

@Suite("Stored messages")
struct StoredMessagesTests {
    private let a = Array("a".utf8)
    private let b = Array("b".utf8)

    @Test("where the broker tells, the last that it has stored is known and no other")
    func surely() {
        var messages = StoredMessages()
        #expect(!messages.knows(a, of: .steer))
        messages.note(a, of: .steer, isSurelyStored: true)
        #expect(messages.knows(a, of: .steer) && !messages.knows(a, of: .smoothing))
        messages.note(b, of: .steer, isSurelyStored: true)
        #expect(messages.knows(b, of: .steer) && !messages.knows(a, of: .steer))
    }

    @Test("what the broker surely has stays known, however many may have taken its place since")
    func staysKnown() {
        var messages = StoredMessages()
        messages.note(a, of: .steer, isSurelyStored: true)
        for number in 0..<20 { messages.note(Array("\(number)".utf8), of: .steer, isSurelyStored: false) }
        #expect(messages.knows(a, of: .steer) && messages.knows(Array("19".utf8), of: .steer))
        // At the next connect the broker tells which it is.
        messages.note(Array("19".utf8), of: .steer, isSurelyStored: true)
        #expect(!messages.knows(a, of: .steer) && !messages.knows(Array("18".utf8), of: .steer))
        #expect(messages.knows(Array("19".utf8), of: .steer))
    }

    @Test("where it does not, each of the last may be the one")
    func candidates() {
        var messages = StoredMessages()
        for payload in [a, b, b, b, b, b, b, b, b, b] {
            messages.note(payload, of: .steer, isSurelyStored: false)
        }
        #expect(messages.knows(a, of: .steer) && messages.knows(b, of: .steer))
        for number in 0..<8 { messages.note(Array("\(number)".utf8), of: .steer, isSurelyStored: false) }
        #expect(!messages.knows(a, of: .steer) && !messages.knows(b, of: .steer))
    }
}
