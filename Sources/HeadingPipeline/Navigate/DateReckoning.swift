/// What day it is: after the receiver, else after a wall clock that can be right, else the day of the build.
/// Between two times it goes on with the monotonic clock.
package struct DateReckoning: Sendable {
    private let buildDate: UTCTime
    private let receiverDates: DateOfReceiver
    private var receiver: Timed?
    private var wallClock: Timed?
    /// The epochs of 1024 weeks that were added to the receiver's last date; 0 where it was right.
    package private(set) var receiverEpochsAdded = 0

    private struct Timed {
        var time: UTCTime
        var at: Instant
        func continued(to now: Instant) -> UTCTime { time + (now - at) }
    }

    package init(buildDate: UTCTime) {
        self.buildDate = buildDate
        receiverDates = DateOfReceiver(buildDate: buildDate)
    }

    package mutating func receiver(_ time: UTCTime, at instant: Instant) {
        let (corrected, epochs) = receiverDates.corrected(time)
        receiver = Timed(time: corrected, at: instant)
        receiverEpochsAdded = epochs
    }

    /// A clock that shows a day before the build, or one a week counter's range later, is not listened to.
    package mutating func wallClock(_ time: UTCTime, at instant: Instant) {
        let end = buildDate + .seconds(1024 * 604_800)
        wallClock = (buildDate..<end).contains(time) ? Timed(time: time, at: instant) : nil
    }

    package func date(at now: Instant) -> UTCTime {
        (receiver ?? wallClock)?.continued(to: now) ?? buildDate
    }
}
