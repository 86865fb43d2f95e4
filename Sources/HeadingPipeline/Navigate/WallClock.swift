/// Gives a moment of the monotonic clock its date and time in UTC: after the machine's wall clock, or, while
/// that shows a day before the program was built (a board without a battery), after the receiver's.
package struct WallClock: Hashable, Sendable {
    private let floor: UTCTime
    private var machine: Offset?
    private var receiver: Offset?

    private struct Offset: Hashable {
        let nanoseconds: Int64

        init(_ time: UTCTime, at instant: Instant) { nanoseconds = time.nanoseconds &- instant.nanoseconds }

        func time(at instant: Instant) -> UTCTime {
            UTCTime(nanoseconds: instant.nanoseconds &+ nanoseconds)
        }
    }

    package init(buildDate: UTCTime) { floor = buildDate }

    package mutating func machine(_ time: UTCTime, at instant: Instant) {
        machine = time >= floor ? Offset(time, at: instant) : nil
    }

    package mutating func receiver(_ time: UTCTime, at instant: Instant) {
        receiver = Offset(time, at: instant)
    }

    /// `nil` while nothing tells the time.
    package func time(at instant: Instant) -> UTCTime? { (machine ?? receiver)?.time(at: instant) }
}
