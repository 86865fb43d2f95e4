import HeadingPipeline
import Synchronization

/// Hears on the session's thread that Home Assistant has (re)started, and tells the main thread when to act on it.
final class BirthListener: Sendable {
    private let topic: String?
    private let delay = Mutex(BirthDelay())

    init(_ settings: Settings) {
        topic = settings.homeAssistant.isDiscoveryEnabled ? HomeAssistantDevice.birthTopic(settings) : nil
    }

    var subscriptions: [Subscription] {
        topic.map { [Subscription($0) { self.take($0) }] } ?? []
    }

    /// A stored word is an old one, and what it asks for has just been sent.
    private func take(_ message: IncomingMessage) {
        guard !message.isStored, message.payload == Array("online".utf8) else { return }
        delay.withLock { $0.born(at: SystemClock.now(), random: Double.random(in: 0...1)) }
    }

    /// True when everything is to be sent again.
    func isDue(at now: Instant) -> Bool { delay.withLock { $0.take(at: now) } }
}
