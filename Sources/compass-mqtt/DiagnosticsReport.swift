import HeadingPipeline

/// When the diagnostics are due, and what they are made of.
struct DiagnosticsReport {
    private let heartbeat: Interval
    private let start: Instant
    private var due: Instant
    private var lastSent: Instant?
    private var rates: SourceRates
    private var newsSeen = 0
    private var writer = PayloadWriter()

    /// News are told at once, but no more often than this.
    private static let shortest = Interval.seconds(5)

    init(heartbeat: Interval, startingAt start: Instant) {
        self.heartbeat = heartbeat
        self.start = start
        rates = SourceRates(at: start)
        due = start + .seconds(1)
    }

    /// `news`: how much has happened so far.
    mutating func note(news: Int, at now: Instant) {
        guard news != newsSeen else { return }
        newsSeen = news
        due = min(due, max(now, lastSent.map { $0 + Self.shortest } ?? now))
    }

    func isDue(at now: Instant) -> Bool { now >= due }

    mutating func write(
        _ pipeline: Pipeline, _ session: MQTTSession.Snapshot, _ commands: Diagnostics.Commands?,
        _ storageFault: String?,
        at now: Instant, deliver: Publisher.Delivery
    ) {
        rates.look(pipeline.sources, at: now)
        let diagnostics = Diagnostics(
            pipeline: pipeline, rates: rates, at: now, uptime: now - start, version: Version.number,
            libraries: "libmosquitto \(Version.mosquitto)",
            broker: Diagnostics.Broker(
                connects: UInt64(session.connects), messages: UInt64(session.sent), lastFault: session.reason),
            commands: commands, storageFault: storageFault)
        diagnostics.write(to: &writer)
        deliver(.diagnostics, writer.bytes)
        lastSent = now
        due = now + heartbeat
    }
}
