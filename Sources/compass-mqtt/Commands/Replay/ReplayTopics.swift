import HeadingPipeline

/// Below which topic a replay speaks, and as which client. A replay must never be taken for the agent that it
/// repeats, nor throw that one off its broker: what is published and the client's name end in `-replay`.
struct ReplayTopics {
    let base: String
    let clientId: String

    init(_ settings: Settings, isPublished: Bool) {
        let id = settings.agent.id ?? "replay"
        let ending = isPublished ? "-replay" : ""
        base = (settings.publish.baseTopic ?? "compass/\(id)") + ending
        clientId = (settings.mqtt.clientId ?? "compass-\(id)") + "-replay"
    }
}
