/// Lets through a burst, then so many a second, so that one source gone wild cannot keep the others
/// waiting.
package struct RateLimit: Sendable {
    /// Ten receivers at 10 Hz with two reports an epoch, and room for a backlog after a pause.
    static let ofReports = RateLimit(perSecond: 200, burst: 400)

    /// What a person may read of a thing that says the same kind again and again.
    static let ofNotices = RateLimit(perSecond: 1.0 / 60, burst: 10)

    private let perSecond: Double
    private let burst: Double
    private var tokens: Double
    private var last: Instant?

    package init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
        tokens = burst
    }

    package mutating func allows(at now: Instant) -> Bool {
        if let last { tokens = min(burst, tokens + max(0, (now - last).seconds) * perSecond) }
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
