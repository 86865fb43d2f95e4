import CMosquitto
import HeadingPipeline

/// Hands what one connection brings to those who asked for it: to the first subscription whose filter fits.
final class MessageDispatch {
    let subscriptions: [Subscription]
    private let version: Settings.MqttVersion
    private var subscribedAt: Instant?
    private var storedTopics: Set<String> = []

    /// The broker sends what it has stored right after the subscription.
    private static let storedWithin = Interval.seconds(10)
    /// As a rule within so long.
    private static let storedSoon = Interval.seconds(2)
    private static let mostStoredTopics = 1024
    /// Bytes; no topic of ours is longer.
    private static let longestTopic = 512

    init(_ subscriptions: [Subscription], version: Settings.MqttVersion) {
        self.subscriptions = subscriptions
        self.version = version
    }

    func didSubscribe(at now: Instant) { subscribedAt = now }

    func take(_ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool, at now: Instant) {
        guard let subscription = subscriptions.first(where: { fits($0.filter, topic) }) else { return }
        subscription.receive(
            IncomingMessage(
                topic: topic, payload: Array(payload.prefix(IncomingMessage.longestPayload + 1)),
                isRetained: isRetained, isStored: isRetained && isStored(topic, of: subscription, at: now),
                isLate: isLate(subscription, at: now)))
    }

    /// Where live messages show as retained too, it is the first on its topic that came from the store, which has one for each.
    private func isStored(_ topic: String, of subscription: Subscription, at now: Instant) -> Bool {
        guard version == .v5, subscription.tellsRetained else { return true }
        guard let subscribedAt, now - subscribedAt < Self.storedWithin,
            storedTopics.count < Self.mostStoredTopics, topic.utf8.count <= Self.longestTopic
        else { return false }
        return storedTopics.insert(topic).inserted
    }

    private func isLate(_ subscription: Subscription, at now: Instant) -> Bool {
        version == .v5 && subscription.tellsRetained
            && (subscribedAt.map { now - $0 >= Self.storedSoon } ?? false)
    }

    private func fits(_ filter: String, _ topic: String) -> Bool {
        var fits = false
        return mosquitto_topic_matches_sub(filter, topic, &fits) == MOSQ_ERR_SUCCESS.rawValue && fits
    }
}
