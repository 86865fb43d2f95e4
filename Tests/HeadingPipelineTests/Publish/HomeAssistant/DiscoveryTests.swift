import Testing

@testable import HeadingPipeline

@Suite("Discovery of Home Assistant")
struct DiscoveryTests {
    private static let everySource = Set(Source.allCases)

    private static func settings(_ change: (inout Settings) -> Void = { _ in }) -> Settings {
        var settings = Settings()
        change(&settings)
        return settings
    }

    private func device(_ settings: Settings = Settings(), id: String = "3f2a9c") -> HomeAssistantDevice {
        HomeAssistantDevice(settings: settings, id: id, base: "compass/3f2a9c", version: "1.2.3")
    }

    private func message(
        _ settings: Settings = Settings(), id: String = "3f2a9c", present: Set<Source> = everySource,
        known: [DiscoveryRecord.Component] = []
    ) throws -> JSONValue {
        let announcement = HomeAssistantAnnouncement(
            device(settings, id: id), settings: settings, present: present, known: known)
        return try #require(JSONValue(announcement.payload))
    }

    @Test("is what Home Assistant takes, whatever there is", arguments: subsets(of: Source.allCases))
    func isValid(present: Set<Source>) throws {
        #expect(HomeAssistantRules.faults(of: try message(present: present)) == [])
    }

    @Test(
        "is what Home Assistant takes, in all units", arguments: Settings.SpeedUnit.allCases,
        Settings.DistanceUnit.allCases)
    func units(speed: Settings.SpeedUnit, distance: Settings.DistanceUnit) throws {
        let settings = Self.settings {
            $0.units.speed = speed
            $0.units.distance = distance
        }
        let message = try message(settings)
        #expect(HomeAssistantRules.faults(of: message) == [])
        // Of one class, so that Home Assistant converts all of them or none.
        for key in ["speed", "speed_accuracy", "max_speed"] {
            let entity = message["cmps"]?[key]
            #expect(
                entity?["unit_of_meas"] == .text(speed.rawValue) && entity?["dev_cla"] == .text("speed"),
                "\(key)")
        }
    }

    /// From trials with the real one.
    @Test(
        "the rules know what Home Assistant refuses or ignores",
        arguments: [
            ("heading", "unit_of_meas", "deg"), ("heading", "dev_cla", "heading"),
            ("speed", "unit_of_meas", "kts"),
            ("speed", "ent_cat", "config"), ("position", "exp_aft", "10"), ("roll", "object_id", "roll"),
            ("heading", "uniq_id", nil), ("course", "p", "sensr"), ("fix", "dev_cla", nil),
            ("heading", "def_ent_id", "compass_heading"), ("field", "uniq_id", "compass_3f2a9c_heading"),
        ] as [(String, String, String?)])
    func rulesBite(key: String, member: String, value: String?) throws {
        var message = try message()
        message["cmps"]?[key]?[member] = value.map(JSONValue.text)
        #expect(HomeAssistantRules.faults(of: message) != [])
    }

    @Test("names every quantity, and no more than the sources give")
    func entities() throws {
        let all = try #require(try message()["cmps"]?.members)
        let wanted = [
            "heading", "heading_magnetic", "heading_true", "course", "speed", "rate_of_turn", "roll", "pitch",
            "declination", "position", "field", "fix", "satellites", "sample_rate", "interference",
            "low_accuracy", "model_expired", "gps", "magnetometer",
            "max_speed", "trip_distance", "destination_bearing", "destination_distance", "steering_error",
            "calibration_quality",
        ]
        #expect(Set(wanted).subtracting(all.keys) == [])
        let bare = try #require(try message(present: [.magnetometer])["cmps"]?.members)
        #expect(bare["roll"] == nil && bare["speed"] == nil && bare["position"] == nil)
        #expect(bare["gps"] == nil && bare["magnetometer"] != nil)
        #expect(bare["heading"] != nil && bare["rate_of_turn"] != nil)
    }

    @Test("lets a person set things only while the agent takes commands")
    func settings() throws {
        let platforms: Set = ["select", "number", "text", "button"]
        func settable(_ message: JSONValue) -> [String]? {
            message["cmps"]?.members?.filter { platforms.contains($0.value["p"]?.text ?? "") }.keys.sorted()
        }
        #expect(settable(try message()) == [])
        let message = try message(Self.settings { $0.commands.isEnabled = true })
        #expect(
            settable(message) == [
                "clear_course", "clear_destination", "course_to_steer", "destination", "heading_offset",
                "reference", "reset_trip", "smoothing", "start_calibration", "stop_calibration",
            ])
        #expect(HomeAssistantRules.faults(of: message) == [])
    }

    @Test("a course to steer is turned by 5 degrees, from 0 to 359")
    func courseToSteer() throws {
        let message = try message(Self.settings { $0.commands.isEnabled = true })
        let course = try #require(message["cmps"]?["course_to_steer"])
        #expect(course["min"]?.number == 0 && course["max"]?.number == 359 && course["step"]?.number == 5)
        #expect(course["unit_of_meas"] == .text("°"))
    }

    @Test("what can be set at the ends of a range and pressed is a command that the agent takes")
    func commands() throws {
        let message = try message(Self.settings { $0.commands.isEnabled = true })
        var tried = 0
        for (key, component) in try #require(message["cmps"]?.members) {
            guard let path = component["cmd_t"]?.text else { continue }
            let name = try #require(path.split(separator: "/").dropLast().last.map(String.init))
            let topic = try #require(CommandTopic(rawValue: name), "\(key)")
            #expect(path == "compass/3f2a9c/\(name)/set")
            let ends = ["min", "max"].compactMap { component[$0]?.number }.map { decimalText($0, places: 0) }
            let words = component["ops"]?.elements?.compactMap { $0.text } ?? []
            let press = component["pl_prs"]?.text.map { [$0] } ?? []
            for payload in ends + words + press {
                tried += 1
                #expect(throws: Never.self, "\(key): \(payload)") {
                    try CommandPayload(topic, Array(payload.utf8))
                }
            }
        }
        #expect(tried == 13)
    }

    @Test("an entity is available while the agent and its source are")
    func availability() throws {
        let components = try #require(try message()["cmps"])
        func topics(_ key: String) -> [String?]? { components[key]?["avty"]?.elements?.map { $0["t"]?.text } }
        #expect(topics("heading") == ["compass/3f2a9c/status", "compass/3f2a9c/magnetometer/status"])
        #expect(topics("position") == ["compass/3f2a9c/status", "compass/3f2a9c/gps/status"])
        #expect(topics("rate_of_turn") == ["compass/3f2a9c/status", "compass/3f2a9c/gyroscope/status"])
        #expect(topics("gps") == ["compass/3f2a9c/status"])
        let bare = try message(present: [.magnetometer])["cmps"]?["rate_of_turn"]?["avty"]?.elements
        #expect(bare?.last?["t"] == .text("compass/3f2a9c/magnetometer/status"))
    }

    @Test("headings and courses have circular means")
    func circular() throws {
        let components = try #require(try message()["cmps"])
        for key in ["heading", "heading_magnetic", "heading_true", "course"] {
            #expect(components[key]?["stat_cla"] == .text("measurement_angle"))
            #expect(components[key]?["unit_of_meas"] == .text("°"))
            #expect(components[key]?["dev_cla"] == nil)
        }
        #expect(components["roll"]?["stat_cla"] == .text("measurement"))
    }

    @Test(
        "ids hold letters, digits, _ and - only, and are never empty",
        arguments: [
            ("some.host.example", "homeassistant/device/compass_some_host_example/config"),
            ("Kü che", "homeassistant/device/compass_K__che/config"),
            ("", "homeassistant/device/compass_default/config"),
            ("Boat-2", "homeassistant/device/compass_Boat-2/config"),
        ])
    func ids(id: String, topic: String) throws {
        #expect(device(id: id).topic == topic)
        #expect(HomeAssistantRules.faults(of: try message(id: id)) == [])
    }

    @Test(
        "entities are called after an id that was chosen, and after nothing else",
        arguments: [
            (nil, "sensor.compass_heading"), ("boat", "sensor.boat_heading"),
            ("Boat-2", "sensor.boat_2_heading"), ("__", "sensor.compass_heading"),
        ] as [(String?, String)])
    func entityIds(id: String?, entity: String) throws {
        let message = try message(Self.settings { $0.agent.id = id })
        #expect(message["cmps"]?["heading"]?["def_ent_id"] == .text(entity))
        #expect(HomeAssistantRules.faults(of: message) == [])
    }

    @Test("tells what the device is, what made it and what of it")
    func about() throws {
        let message = try message()
        let device = try #require(message["dev"])
        #expect(device["ids"] == .array([.text("compass_3f2a9c")]))
        #expect(device["mf"] == .text("compass-mqtt") && device["mdl"]?.text?.isEmpty == false)
        #expect(device["sw"] == .text("1.2.3"))
        #expect(message["o"]?["name"] == .text("compass-mqtt") && message["o"]?["sw"] == .text("1.2.3"))
    }

    @Test("a name from outside stays one name")
    func name() throws {
        let message = try message(Self.settings { $0.agent.name = "\"Möwe\" \\ 2" })
        #expect(message["dev"]?["name"] == .text("\"Möwe\" \\ 2"))
        #expect(try self.message()["dev"]?["name"] == .text("Compass 3f2a9c"))
    }

    @Test("what is there no more is named in the short form, and only that")
    func removal() throws {
        let known = HomeAssistantAnnouncement(
            device(), settings: Settings(), present: Self.everySource, known: []
        ).record.components
        let message = try message(present: [.magnetometer, .gps, .gyroscope], known: known)
        #expect(HomeAssistantRules.faults(of: message) == [])
        let removed = message["cmps"]?.members?.filter { $0.value.members?.count == 1 }
        #expect(removed?.keys.sorted() == ["pitch", "pitch_accuracy", "roll", "roll_accuracy"])
        #expect(message["cmps"]?["roll"] == .object(["p": .text("sensor")]))
    }
}

private func subsets(of sources: [Source]) -> [Set<Source>] {
    (0..<1 << sources.count).map { bits in Set(sources.filter { bits & 1 << $0.rawValue != 0 }) }
}
