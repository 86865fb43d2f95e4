import HeadingPipeline
import Synchronization

/// The pipeline and its publisher at work. Each source's thread takes its own readings through, one at a time
/// and within microseconds, so that no reading waits in a queue or wakes another thread; whatever blocks
/// (reading a device, the broker, the log) happens outside the lock.
final class LivePipeline: ReadingSink {
    private let topics: PublishedTopics
    private let recorder: Recorder?
    private let watchers: ReadingWatchers?
    private let state: Mutex<State>

    private struct State {
        var pipeline: Pipeline
        var publisher: Publisher
        /// How each source stood when the log last told of it.
        var told: SourceTable
    }

    init(
        settings: Settings, topics: PublishedTopics, recorder: Recorder? = nil,
        watchers: ReadingWatchers? = nil
    ) {
        self.topics = topics
        self.recorder = recorder
        self.watchers = watchers
        let pipeline = Pipeline(settings: settings)
        state = Mutex(
            State(
                pipeline: pipeline, publisher: Publisher(settings: settings), told: pipeline.sources))
    }

    /// Says how the settings stand that commands can change.
    func begin(_ settings: Settings.Heading) {
        var opening = Measurements()
        opening.settings = settings
        state.withLock { publish(opening, &$0, at: SystemClock.now()) }
    }

    func take(_ reading: Reading) {
        let hasNews = state.withLock { state in
            // In the order in which the pipeline takes them.
            watchers?.take(reading)
            let new = state.pipeline.take(reading)
            recorder?.take(reading, trip: state.pipeline.trip.totals)
            publish(new, &state, at: reading.at)
            return new.status != nil
        }
        topics.flush()
        if hasNews { tell() }
    }

    /// What only the passing of time brings: sources that have gone stale, the ends of movements, heartbeats.
    func advance(to now: Instant) {
        state.withLock { state in
            while let change = state.pipeline.nextStale(at: now) { publish(change, &state, at: now) }
            state.publisher.flush(at: now) { topics.put($0, $1) }
        }
        topics.flush()
        tell()
    }

    /// When a source goes stale unless a reading comes.
    var deadline: Instant? { state.withLock { $0.pipeline.deadline } }

    /// A copy, to look at without holding anybody up.
    var snapshot: Pipeline { state.withLock { $0.pipeline } }

    /// Of the calibration in force.
    var calibrationQuality: String { state.withLock { $0.pipeline.calibrations.quality } }

    func time(at now: Instant) -> UTCTime? { state.withLock { $0.pipeline.time(at: now) } }

    /// The command with what it leaves to the moment at which it comes.
    func settled(_ command: OperatorCommand) -> OperatorCommand {
        state.withLock { $0.pipeline.settled(command) }
    }

    /// How each source stands.
    var sources: SourceTable { state.withLock { $0.pipeline.sources } }

    private func publish(_ new: Measurements, _ state: inout State, at now: Instant) {
        state.publisher.take(new, at: now) { topics.put($0, $1) }
    }

    /// A line in the log for each source that came or went, or that is away for another reason than was told.
    private func tell() {
        let (told, sources) = state.withLock { state in
            defer { state.told = state.pipeline.sources }
            return (state.told, state.pipeline.sources)
        }
        for source in Source.allCases where sources[source].state != told[source].state {
            tell(of: source, sources[source], wasOnline: told[source].isOnline)
            noteNews()
        }
    }

    private func tell(of source: Source, _ monitor: SourceMonitor, wasOnline: Bool) {
        switch monitor.state {
        case .online:
            let device = monitor.description.map { " (\($0.identity))" } ?? ""
            Log.info("\(source.name): online\(device)")
        case .offline(let reason) where wasOnline: Log.warning("\(source.name): offline: \(reason)")
        // That it was opened, the source has told.
        case .offline(SourceMonitor.nothingYet): break
        case .offline(let reason): Log.info("\(source.name): \(reason)")
        }
    }

    private let newsCount = Atomic<Int>(0)
    /// Grows with everything that the diagnostics should tell soon.
    var newsSoFar: Int { newsCount.load(ordering: .relaxed) }
    func noteNews() { newsCount.add(1, ordering: .relaxed) }
}
