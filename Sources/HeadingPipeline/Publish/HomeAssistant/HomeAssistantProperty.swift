/// One thing that an entity's description says, with the names and words of Home Assistant's MQTT discovery.
enum HomeAssistantProperty: Sendable {
    /// The state is a payload as it stands.
    case state(of: Topic)
    /// The state comes out of a topic's payload by a template.
    case template(Topic, String)
    case attributes(Topic, String)
    case unit(String)
    case deviceClass(String)
    case stateClass(String)
    case category(String)
    case icon(String)
    case options([String])
    /// The payloads that stand for on and off.
    case words(on: String, off: String)
    case gpsSource
    /// Where a person's choice is sent.
    case command(CommandTopic)
    /// What is sent of it.
    case commandTemplate(String)
    case press(String)
    /// Of a number, with the step that a person turns it by.
    case range(ClosedRange<Double>, step: Double)
    /// A text must match this regular expression.
    case pattern(String)

    func write(to writer: inout PayloadWriter, _ device: HomeAssistantDevice) {
        switch self {
        case .state(let topic): writer.text("stat_t", device.topic(topic.path))
        case .template(let topic, let template):
            writer.text("stat_t", device.topic(topic.path))
            writer.text("val_tpl", template)
        case .attributes(let topic, let template):
            writer.text("json_attr_t", device.topic(topic.path))
            writer.text("json_attr_tpl", template)
        case .unit(let unit): writer.text("unit_of_meas", unit)
        case .deviceClass(let name): writer.text("dev_cla", name)
        case .stateClass(let name): writer.text("stat_cla", name)
        case .category(let name): writer.text("ent_cat", name)
        case .icon(let name): writer.text("ic", "mdi:\(name)")
        case .options(let words): writer.texts("ops", words)
        case .words(let on, let off):
            writer.text("pl_on", on)
            writer.text("pl_off", off)
        case .gpsSource: writer.text("src_type", "gps")
        case .command, .commandTemplate, .press, .range, .pattern: writeCommand(to: &writer, device)
        }
    }

    private func writeCommand(to writer: inout PayloadWriter, _ device: HomeAssistantDevice) {
        switch self {
        case .command(let topic): writer.text("cmd_t", device.topic("\(topic.rawValue)/set"))
        case .commandTemplate(let template): writer.text("cmd_tpl", template)
        case .press(let payload): writer.text("pl_prs", payload)
        case .range(let range, let step):
            writer.number("min", range.lowerBound, places: 0)
            writer.number("max", range.upperBound, places: 0)
            writer.number("step", step, places: 1)
            writer.word("mode", "box")
        case .pattern(let expression): writer.text("ptrn", expression)
        default: break
        }
    }
}

extension HomeAssistantProperty {
    static let diagnostic = category("diagnostic")
    static let setting = category("config")
    /// A value whose mean is the arithmetic one.
    static let measurement = stateClass("measurement")

    /// A member of a payload; unknown where it is null, or where the topic has been emptied.
    static func member(_ name: String, of topic: Topic) -> Self {
        template(topic, "{{ value_json.\(name) if value_json is mapping else none }}")
    }

    /// On where an expression over a payload is true; unknown where the topic has been emptied.
    static func condition(_ expression: String, of topic: Topic) -> Self {
        template(topic, "{{ ('ON' if \(expression) else 'OFF') if value_json is mapping else none }}")
    }
}
