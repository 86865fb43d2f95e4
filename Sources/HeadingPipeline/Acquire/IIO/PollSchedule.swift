/// When a sensor is to be read next: at fixed multiples of the period, so that the time a reading takes does not
/// add up. Slots missed while a read hung are left out, not made up for.
package struct PollSchedule: Sendable {
    package private(set) var next: Instant
    package let period: Interval

    /// The first reading is due at once.
    package init(start: Instant, rate: Double) {
        next = start
        period = max(.seconds(1 / max(rate, 0.001)), .seconds(1e-5))
    }

    package func isDue(at now: Instant) -> Bool { next <= now }

    /// Goes on to the first slot after `now`.
    package mutating func advance(past now: Instant) {
        next = next + period
        guard next <= now else { return }
        let missed = (now - next).nanoseconds / period.nanoseconds
        next = next + Interval(nanoseconds: (missed + 1) * period.nanoseconds)
    }
}
