/// Turns the timestamps of a buffer into moments on the monotonic clock.
///
/// The kernel stamps with the clock that `current_timestamp_clock` names. A wall clock is brought over by the
/// difference of the clocks at the moment of reading. A stamp is never trusted blindly: it may lie neither in the
/// future nor further back than a buffer can hold, and moments never run backwards.
package struct CaptureClock: Sendable {
    package enum Source: Hashable, Sendable { case monotonic, wall }

    private let source: Source
    private let longestDelay: Interval
    private var last: Instant?

    package init(_ source: Source, longestDelay: Interval = .seconds(2)) {
        self.source = source
        self.longestDelay = longestDelay
    }

    /// The moment of a frame with this stamp, read when the two clocks showed `now` and `wall`.
    package mutating func instant(of stamp: Int64, now: Instant, wall: UTCTime) -> Instant {
        let shift = source == .wall ? now.nanoseconds &- wall.nanoseconds : 0
        return accept(Instant(nanoseconds: stamp &+ shift), now: now)
    }

    /// The moment of a frame without a stamp, after which `following` more had come when it was read.
    package mutating func instant(following: Int, period: Interval, now: Instant) -> Instant {
        accept(now - period * Double(following), now: now)
    }

    private mutating func accept(_ instant: Instant, now: Instant) -> Instant {
        let isPlausible = instant <= now && instant >= now - longestDelay
        let accepted = max(isPlausible ? instant : now, last ?? Instant(nanoseconds: .min))
        last = accepted
        return accepted
    }
}
