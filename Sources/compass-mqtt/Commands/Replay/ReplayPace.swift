import HeadingPipeline

/// When a recorded moment comes round again.
struct ReplayPace {
    private let speed: Double
    private let start = SystemClock.now()
    private let recordedStart: Instant

    /// - Parameter speed: recorded seconds in one.
    init(speed: Double, from recordedStart: Instant) {
        self.speed = speed
        self.recordedStart = recordedStart
    }

    func moment(of recorded: Instant) -> Instant {
        start + .seconds((recorded - recordedStart).seconds / speed)
    }
}
