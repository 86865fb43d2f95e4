import HeadingPipeline

/// Below which topic a replay speaks, and as which client. A replay must never be taken for the agent that it
/// repeats, nor throw that one off its broker: unless a config says where, both names end in `-replay`.
struct ReplayTopics {
    let base: String
    let clientId: String

    init(_ settings: Settings, isPublished: Bool, isConfigured: Bool) {
        let id = settings.agent.id ?? "replay"
        let ending = isPublished && !isConfigured ? "-replay" : ""
        base = (settings.publish.baseTopic ?? "compass/\(id)") + ending
        clientId = (settings.mqtt.clientId ?? "compass-\(id)") + "-replay"
    }
}
