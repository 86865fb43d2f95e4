/// A moment on the monotonic clock, in nanoseconds since an arbitrary start. All ages and timeouts use it,
/// so that a step of the wall clock changes nothing.
package struct Instant: Comparable, Hashable, Sendable {
    package var nanoseconds: Int64
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func - (a: Instant, b: Instant) -> Interval {
        Interval(nanoseconds: a.nanoseconds.saturatingSubtract(b.nanoseconds))
    }
    package static func + (a: Instant, b: Interval) -> Instant {
        Instant(nanoseconds: a.nanoseconds.saturatingAdd(b.nanoseconds))
    }
    package static func - (a: Instant, b: Interval) -> Instant {
        Instant(nanoseconds: a.nanoseconds.saturatingSubtract(b.nanoseconds))
    }
}

/// A span of time in whole nanoseconds.
package struct Interval: Comparable, Hashable, Sendable, AdditiveArithmetic {
    package var nanoseconds: Int64
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    package static func seconds(_ value: Double) -> Interval {
        Interval(nanoseconds: Int64(clamping: value * 1e9))
    }
    package static func milliseconds(_ value: Int64) -> Interval { Interval(nanoseconds: value * 1_000_000) }
    package var seconds: Double { Double(nanoseconds) * 1e-9 }

    package static let zero = Interval(nanoseconds: 0)
    package static func < (a: Interval, b: Interval) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (a: Interval, b: Interval) -> Interval {
        Interval(nanoseconds: a.nanoseconds.saturatingAdd(b.nanoseconds))
    }
    package static func - (a: Interval, b: Interval) -> Interval {
        Interval(nanoseconds: a.nanoseconds.saturatingSubtract(b.nanoseconds))
    }
    package static func * (a: Interval, factor: Double) -> Interval { .seconds(a.seconds * factor) }
}

// The ends of the scale stand for "ever" and "never": what lies beyond them stays there instead of wrapping
// round to the other.
extension Int64 {
    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? (other < 0 ? .min : .max) : sum
    }

    func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, isOver) = subtractingReportingOverflow(other)
        return isOver ? (other > 0 ? .min : .max) : difference
    }

    /// Towards zero, at the ends where the value lies outside; NaN is 0.
    init(clamping value: Double) {
        if value.isNaN {
            self = 0
        } else if value >= 9.2e18 {
            self = .max
        } else if value <= -9.2e18 {
            self = .min
        } else {
            self = Int64(value)
        }
    }
}
