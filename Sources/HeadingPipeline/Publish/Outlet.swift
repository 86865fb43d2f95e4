/// One topic's way out: its newest value, the one that was sent, and the throttle between them.
struct Outlet<Content: TopicContent>: Sendable {
    let topic: Topic
    private var throttle: Throttle
    private var newest: Content?
    private var sent: Content?

    init(_ topic: Topic, _ throttle: Throttle.Settings) {
        self.topic = topic
        self.throttle = Throttle(throttle)
    }

    /// Whether the value is to be sent now.
    mutating func take(_ content: Content, _ deadbands: Deadbands, at now: Instant) -> Bool {
        newest = content
        let change = sent.map { content.change(from: $0, deadbands) } ?? .urgent
        return note(throttle.take(change, at: now))
    }

    /// Whether a value that waited is to be sent now.
    mutating func flush(at now: Instant) -> Bool { note(throttle.flush(at: now)) }

    /// The value no longer holds: no heartbeat repeats it, and the next one is sent at once.
    mutating func forget() { self = Outlet(topic, throttle.settings) }

    var due: Instant? { throttle.due }

    func write(to writer: inout PayloadWriter, _ units: Settings.Units) {
        newest?.write(to: &writer, units)
    }

    private mutating func note(_ isDue: Bool) -> Bool {
        if isDue { sent = newest }
        return isDue
    }
}
