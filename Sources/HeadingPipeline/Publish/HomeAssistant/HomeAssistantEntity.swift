/// One entity as Home Assistant's MQTT discovery describes it: which platform shows it, from what.
struct HomeAssistantEntity: Sendable {
    enum Platform: String, CaseIterable, Sendable {
        case sensor
        case binarySensor = "binary_sensor"
        case deviceTracker = "device_tracker"
        case number, select, button, text
    }

    /// Names the component in the discovery message, and ends the entity's ids.
    let key: String
    let platform: Platform
    /// Home Assistant puts the device's name before it.
    let name: String
    /// Whose status says that the value is current; `nil`: the agent's alone.
    let source: Source?
    let properties: [HomeAssistantProperty]

    init(
        _ platform: Platform, _ key: String, _ name: String, of source: Source? = nil,
        _ properties: [HomeAssistantProperty]
    ) {
        self.key = key
        self.platform = platform
        self.name = name
        self.source = source
        self.properties = properties
    }

    func write(to writer: inout PayloadWriter, _ device: HomeAssistantDevice) {
        writer.text("p", platform.rawValue)
        writer.text("name", name)
        writer.text("uniq_id", "\(device.id)_\(key)")
        writer.text("def_ent_id", "\(platform.rawValue).\(device.entityPrefix)_\(key)")
        let statuses: [Topic] = [.status] + (source.map { [Topic.status(of: $0)] } ?? [])
        writer.objects("avty", statuses) { $0.text("t", device.topic($1.path)) }
        writer.text("avty_mode", "all")
        for property in properties { property.write(to: &writer, device) }
    }
}
