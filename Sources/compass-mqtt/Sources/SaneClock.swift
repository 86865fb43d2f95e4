import HeadingPipeline

/// The wall clock where it can be right. One that stands before the day of the build is wrong, and that day is
/// nearer to the truth.
enum SaneClock {
    /// `nil` where the clock cannot be right.
    static func knownTime() -> UTCTime? {
        let now = SystemClock.now()
        var clock = WallClock(buildDate: BuildDate.current)
        clock.machine(SystemClock.wallTime(), at: now)
        return clock.time(at: now)
    }

    static func time() -> UTCTime {
        let now = SystemClock.now()
        var reckoning = DateReckoning(buildDate: BuildDate.current)
        reckoning.wallClock(SystemClock.wallTime(), at: now)
        return reckoning.date(at: now)
    }
}
