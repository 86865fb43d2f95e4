/// Lets through a burst, then so many a second, so that one source gone wild cannot push the readings of the
/// others out of the agent's inbox.
struct RateLimit {
    /// Ten receivers at 10 Hz with two reports an epoch, and room for a backlog after a pause.
    static let perSecond = 200.0
    static let burst = 400.0

    private var tokens = burst
    private var last: Instant?

    mutating func allows(at now: Instant) -> Bool {
        if let last { tokens = min(Self.burst, tokens + max(0, (now - last).seconds) * Self.perSecond) }
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
