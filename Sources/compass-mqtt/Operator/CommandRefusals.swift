import HeadingPipeline

/// Answers messages that cannot be carried out: in the log, and below `commands/rejected`, a bounded number of them.
struct CommandRefusals {
    private let topics: PublishedTopics
    private var writer = PayloadWriter()
    private var logLimit = RateLimit(perSecond: 0.1, burst: 20)
    private var answerLimit = RateLimit(perSecond: 2, burst: 20)

    private static let mostShown = 100

    init(_ topics: PublishedTopics) { self.topics = topics }

    mutating func tell(_ topic: String, _ payload: [UInt8], _ reason: String, at time: UTCTime?) {
        let now = SystemClock.now()
        let topic = VisibleText.plain(topic, upTo: Self.mostShown)
        let shown = Self.visible(payload)
        if logLimit.allows(at: now) { Log.warning("command refused: \(topic) \(shown): \(reason)") }
        guard answerLimit.allows(at: now) else { return }
        writer.begin()
        writer.text("topic", topic)
        writer.text("payload", shown)
        writer.text("reason", reason)
        writer.time("time", time)
        writer.end()
        topics.put(.commandsRejected, writer.bytes)
        topics.flush()
    }

    /// As text, whatever the bytes; what the eye cannot see is shown by its code.
    static func visible(_ payload: [UInt8]) -> String {
        let text = String(decoding: payload.prefix(mostShown * 4), as: UTF8.self)
        return VisibleText.plain(text, upTo: mostShown)
    }
}
