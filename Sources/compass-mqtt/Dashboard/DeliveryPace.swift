import HeadingPipeline

/// When the viewers are told what has come: soon, together with what comes right after it, and not more often
/// than an eye can follow.
struct DeliveryPace {
    /// The next delivery, or the next look at how things stand.
    private(set) var due: Instant
    private(set) var hasNews = false
    private var last: Instant

    private static let gathering = Interval.milliseconds(10)
    private static let shortest = Interval.milliseconds(40)
    private static let longest = Interval.milliseconds(250)

    init(startingAt now: Instant) {
        due = now
        last = now
    }

    mutating func newsCame(at now: Instant) {
        guard !hasNews else { return }
        hasNews = true
        due = min(due, max(now + Self.gathering, last + Self.shortest))
    }

    mutating func delivered(at now: Instant) {
        hasNews = false
        last = now
        due = now + Self.longest
    }
}
