/// Decides when a topic's value is due: at most one message per minimum interval, none for a change within
/// the deadband, the last value of a movement always, and one per heartbeat whatever happens.
package struct Throttle: Hashable, Sendable {
    package struct Settings: Hashable, Sendable {
        package var interval: Interval
        package var heartbeat: Interval
        package init(interval: Interval, heartbeat: Interval) {
            self.interval = interval
            self.heartbeat = heartbeat
        }
    }

    /// How the newest value stands to the one that was sent last.
    package enum Change: Sendable {
        case none
        /// Within the deadband.
        case small
        case large
        /// Such as a loss of quality: not held back by the interval, unless the one before was urgent too.
        case urgent
    }

    let settings: Settings
    private var lastSent: Instant?
    private var lastUrgent: Instant?
    /// The newest value lies outside the deadband and waits for the interval to pass.
    private var isHeldBack = false
    /// A movement was sent; where it comes to rest has not been.
    private var isMoving = false
    /// The newest value is not the one that was sent.
    private var differs = false

    package init(_ settings: Settings) { self.settings = settings }

    /// Early by so much counts as on time, so that a sensor's jitter costs no sample.
    private static let slack = Interval.milliseconds(2)
    /// A movement that has not left the deadband for so long has come to rest.
    private static let rest = Interval.milliseconds(900)

    /// Takes note of a new value. When it says that the value is due, it counts as sent.
    package mutating func take(_ change: Change, at now: Instant) -> Bool {
        differs = change != .none
        isHeldBack = change == .large || change == .urgent
        guard let lastSent else { return send(at: now, moving: false) }
        if change == .urgent, isPast(lastUrgent, at: now) {
            lastUrgent = now
            return send(at: now, moving: true)
        }
        if isHeldBack, now >= lastSent + settings.interval - Self.slack { return send(at: now, moving: true) }
        return flush(at: now)
    }

    /// Whether the newest value is due now. When it says so, it counts as sent.
    package mutating func flush(at now: Instant) -> Bool {
        guard let due, now >= due else { return false }
        return send(at: now, moving: isHeldBack)
    }

    /// When ``flush(at:)`` will next say yes; `nil` before the first value.
    package var due: Instant? {
        guard let lastSent else { return nil }
        if isHeldBack { return lastSent + settings.interval }
        if isMoving, differs { return lastSent + max(settings.interval, Self.rest) }
        return lastSent + settings.heartbeat
    }

    /// A value that flickers between two words must not get round the interval.
    private func isPast(_ last: Instant?, at now: Instant) -> Bool {
        last.map { now >= $0 + settings.interval } ?? true
    }

    private mutating func send(at now: Instant, moving: Bool) -> Bool {
        let onBeat = lastSent.map { $0 + settings.interval }
        // Keeps the beat, so that the slack does not add up to a higher rate.
        lastSent = onBeat.map { $0 > now && $0 <= now + Self.slack ? $0 : now } ?? now
        isMoving = moving
        isHeldBack = false
        differs = false
        return true
    }
}
