/// The agent as a device of Home Assistant: one retained message describes it with all its entities.
package struct HomeAssistantDevice: Hashable, Sendable {
    /// Letters, digits, `_` and `-`: names the device, and begins each entity's unique id.
    package let id: String
    /// Begins what Home Assistant calls its entities: `sensor.compass_heading`.
    package let entityPrefix: String
    package let name: String
    package let version: String
    private let base: String
    private let prefix: String

    /// - Parameters:
    ///   - id: the agent's.
    ///   - base: what every topic begins with.
    package init(settings: Settings, id: String, base: String, version: String) {
        self.id = "compass_" + Self.identifier(id)
        // An id that the operator chose tells several agents apart; one made from the machine id only makes names long.
        entityPrefix = settings.agent.id.map(Self.slug) ?? "compass"
        name = settings.agent.name ?? "Compass \(id)"
        prefix = settings.homeAssistant.prefix
        self.version = version
        self.base = base
    }

    /// Where the description is published.
    package var topic: String { "\(prefix)/device/\(id)/config" }

    /// Where Home Assistant says that it has (re)started.
    package static func birthTopic(_ settings: Settings) -> String {
        settings.homeAssistant.prefix + "/status"
    }

    func topic(_ path: String) -> String { "\(base)/\(path)" }

    /// Only what discovery takes in a topic; never empty.
    static func identifier(_ text: String) -> String {
        let safe = text.unicodeScalars.map { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "-": Character(scalar)
            default: Character("_")
            }
        }
        return safe.isEmpty ? "default" : String(safe)
    }

    /// Only what Home Assistant takes in an entity's name: lower case, digits, `_` within.
    static func slug(_ text: String) -> String {
        let words = identifier(text).lowercased().split { $0 == "-" || $0 == "_" }
        return words.isEmpty ? "compass" : words.joined(separator: "_")
    }
}

extension HomeAssistantDevice {
    /// - Parameter removed: entities that were there once: each is named in the short form that removes it.
    func write(
        _ entities: [HomeAssistantEntity], removed: [DiscoveryRecord.Component],
        to writer: inout PayloadWriter
    ) {
        writer.begin()
        writer.object("dev") { device in
            device.texts("ids", [id])
            device.text("name", name)
            device.text("mf", "compass-mqtt")
            device.text("mdl", "Compass and GPS to MQTT")
            device.text("sw", version)
        }
        writer.object("o") { origin in
            origin.text("name", "compass-mqtt")
            origin.text("sw", version)
        }
        writer.object("cmps") { components in
            for entity in entities { components.object(entity.key) { entity.write(to: &$0, self) } }
            for old in removed { components.object(old.key) { $0.text("p", old.platform) } }
        }
        writer.end()
    }
}
