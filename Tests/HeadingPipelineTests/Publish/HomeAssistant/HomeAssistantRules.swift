/// What Home Assistant takes, transcribed from the schemas of release 2026.11 (components/mqtt: abbreviations.py,
/// schemas.py, sensor.py, binary_sensor.py, device_tracker.py, number.py, select.py, button.py, text.py;
/// components/sensor/const.py) and tried against it. It drops unknown keys in silence; here they are faults.
enum HomeAssistantRules {
    private static let everywhere: Set = [
        "p", "name", "uniq_id", "def_ent_id", "avty", "avty_mode", "ic", "ent_cat", "json_attr_t",
        "json_attr_tpl",
    ]
    private static let platforms: [String: (allowed: Set<String>, required: Set<String>)] = [
        "sensor": (["stat_t", "val_tpl", "unit_of_meas", "dev_cla", "stat_cla", "ops"], ["stat_t"]),
        "binary_sensor": (["stat_t", "val_tpl", "dev_cla", "pl_on", "pl_off"], ["stat_t"]),
        "device_tracker": (["src_type"], ["json_attr_t", "src_type"]),
        "number": (
            [
                "stat_t", "val_tpl", "cmd_t", "cmd_tpl", "min", "max", "step", "mode", "unit_of_meas",
                "dev_cla",
            ],
            ["cmd_t", "min", "max", "step"]
        ),
        "select": (["stat_t", "val_tpl", "cmd_t", "cmd_tpl", "ops"], ["cmd_t", "ops"]),
        "button": (["cmd_t", "pl_prs", "dev_cla"], ["cmd_t"]),
        "text": (["stat_t", "val_tpl", "cmd_t", "cmd_tpl", "max", "ptrn"], ["cmd_t"]),
    ]
    /// Of sensors: the units and the state classes that go with each device class that is used here.
    private static let sensorClasses: [String: (units: Set<String?>, states: Set<String?>)] = [
        "speed": (["kn", "m/s", "km/h", "mph"], ["measurement", nil]),
        "distance": (["nmi", "km", "m", "mi"], ["measurement", "total", "total_increasing", nil]),
        "frequency": (["Hz"], ["measurement", nil]),
        "duration": (["d", "h", "min", "s"], ["measurement", "total", "total_increasing", nil]),
        "enum": ([nil], [nil]),
    ]
    private static let binaryClasses: Set = ["problem", "connectivity"]
    private static let stateClasses: Set = ["measurement", "measurement_angle", "total", "total_increasing"]

    /// Everything that Home Assistant would refuse or ignore.
    static func faults(of message: JSONValue) -> [String] {
        guard let components = message["cmps"]?.members else { return ["no components"] }
        var faults: [String] = []
        if message.members?.keys.sorted() != ["cmps", "dev", "o"] { faults.append("members of the message") }
        if message["dev"]?["ids"]?.elements?.isEmpty != false {
            faults.append("a device without identifiers")
        }
        if message["o"]?["name"]?.text?.isEmpty != false { faults.append("an origin without a name") }
        for (key, component) in components { faults += componentFaults(component).map { "\(key): \($0)" } }
        return faults + repeated("uniq_id", in: components) + repeated("def_ent_id", in: components)
            + repeated("name", in: components)
    }

    private static func repeated(_ name: String, in components: [String: JSONValue]) -> [String] {
        let values = components.values.compactMap { $0[name]?.text }
        return Set(values).count == values.count ? [] : ["a \(name) stands twice"]
    }

    private static func componentFaults(_ component: JSONValue) -> [String] {
        guard let members = component.members, let platform = component["p"]?.text,
            let rules = platforms[platform]
        else { return ["no known platform"] }
        // What takes a component away.
        if members.count == 1 { return [] }
        let names = Set(members.keys)
        let missing = rules.required.union(["name", "uniq_id", "def_ent_id", "avty"]).subtracting(names)
        let unknown = names.subtracting(everywhere.union(rules.allowed))
        // One by one: Swift 6.0 cannot find the type of a long sum.
        var faults = missing.map { "lacks \($0)" }
        faults += unknown.map { "\($0) would be ignored" }
        faults += identity(component, platform)
        faults += availability(component)
        faults += category(component, platform)
        if platform == "sensor" { faults += sensor(component) }
        if platform == "number" { faults += number(component) }
        if platform == "binary_sensor" { faults += binarySensor(component) }
        if platform == "button", members["dev_cla"] != nil { faults.append("a button of that class") }
        return faults
    }

    private static func identity(_ component: JSONValue, _ platform: String) -> [String] {
        let parts = component["def_ent_id"]?.text?.split(separator: ".").map(String.init) ?? []
        guard parts.count == 2, parts[0] == platform, isSlug(parts[1]) else { return ["entity id"] }
        guard component["name"]?.text?.isEmpty == false else { return ["an empty name"] }
        return component["uniq_id"]?.text?.isEmpty == false ? [] : ["an empty unique id"]
    }

    private static func isSlug(_ text: String) -> Bool {
        text.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_".utf8.contains($0) }
            && !text.hasPrefix("_") && !text.hasSuffix("_")
    }

    private static func availability(_ component: JSONValue) -> [String] {
        let topics = component["avty"]?.elements?.compactMap { $0["t"]?.text } ?? []
        return topics.isEmpty || component["avty_mode"]?.text != "all" ? ["availability"] : []
    }

    private static func category(_ component: JSONValue, _ platform: String) -> [String] {
        switch component["ent_cat"]?.text {
        case nil: []
        case "diagnostic": []
        case "config": platform.hasSuffix("sensor") ? ["a \(platform) is no setting"] : []
        default: ["category"]
        }
    }

    private static func sensor(_ component: JSONValue) -> [String] {
        let (unit, state) = (component["unit_of_meas"]?.text, component["stat_cla"]?.text)
        var faults: [String] = []
        if let state, !stateClasses.contains(state) { faults.append("state class \(state)") }
        if state == "measurement_angle", unit != "°" { faults.append("an angle in \(unit ?? "nothing")") }
        if component["ops"] != nil, component["dev_cla"]?.text != "enum" { faults.append("options") }
        guard let name = component["dev_cla"]?.text else { return faults }
        guard let rules = sensorClasses[name] else { return faults + ["device class \(name)"] }
        if !rules.units.contains(unit) { faults.append("\(name) in \(unit ?? "nothing")") }
        if !rules.states.contains(state) { faults.append("state class of \(name)") }
        return faults
    }

    private static func binarySensor(_ component: JSONValue) -> [String] {
        component["dev_cla"]?.text.map { binaryClasses.contains($0) ? [] : ["device class \($0)"] } ?? []
    }

    private static func number(_ component: JSONValue) -> [String] {
        guard let least = component["min"]?.number, let most = component["max"]?.number, least < most else {
            return ["min and max"]
        }
        return component["step"]?.number ?? 0 >= 0.001 ? [] : ["step"]
    }
}
