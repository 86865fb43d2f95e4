/// Tells how far apart fixes are in time. The receiver's time is the better measure, since reports come in late
/// by a varying delay; but it may be absent, jump back, or jump by 1024 weeks. Where it makes no sense, the
/// moments of arrival count. The moments this clock gives never run backwards.
struct FixClock: Sendable {
    /// A longer gap than this is believed of the clock of arrival only.
    private static let longestStep = Interval.seconds(60)

    private var latest: Instant?
    private var latestArrival = Instant(nanoseconds: 0)
    /// The last fix with a time, and the moment given to it.
    private var anchor: (time: UTCTime, moment: Instant)?

    /// The moment of a fix on the clock's own axis. Fixes of one epoch have one moment.
    mutating func moment(of time: UTCTime?, arrivingAt now: Instant) -> Instant {
        let moment = byReceiver(time) ?? byArrival(now)
        if let time { anchor = (time, moment) }
        latest = moment
        latestArrival = now
        return moment
    }

    private func byReceiver(_ time: UTCTime?) -> Instant? {
        guard let time, let anchor, let latest else { return nil }
        let step = time - anchor.time
        guard step >= .zero, step <= Self.longestStep else { return nil }
        return max(latest, anchor.moment + step)
    }

    private func byArrival(_ now: Instant) -> Instant {
        guard let latest else { return now }
        return latest + max(now - latestArrival, .zero)
    }
}
