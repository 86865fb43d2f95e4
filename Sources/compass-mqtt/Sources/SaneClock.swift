import HeadingPipeline

/// The wall clock where it can be right. One that stands before the day of the build is wrong, and that day is
/// nearer to the truth.
enum SaneClock {
    static func time() -> UTCTime {
        let now = SystemClock.now()
        var reckoning = DateReckoning(buildDate: BuildDate.current)
        reckoning.wallClock(SystemClock.wallTime(), at: now)
        return reckoning.date(at: now)
    }
}
