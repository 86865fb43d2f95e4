/// The pipeline and its publisher on recorded time. What falls due between two readings is done at its own
/// moment, not when somebody happens to look, so the same readings give the same messages.
package struct Replay: Sendable {
    package private(set) var pipeline: Pipeline
    private var publisher: Publisher
    private let settings: Settings.Heading

    package init(settings: Settings, buildDate: UTCTime = BuildDate.current) {
        pipeline = Pipeline(settings: settings, buildDate: buildDate)
        publisher = Publisher(settings: settings)
        self.settings = settings.heading
    }

    /// Says of every source that it is not there yet, and how the settings stand, as the agent does when it starts.
    package mutating func begin(deliver: Publisher.Delivery) {
        let offline = Array("offline".utf8)
        for source in Source.allCases { deliver(.status(of: source), offline) }
        var opening = Measurements()
        opening.settings = settings
        publisher.take(opening, at: Instant(nanoseconds: .min), deliver: deliver)
    }

    /// When something is to be done unless a reading comes before.
    package var due: Instant? {
        guard let stale = pipeline.deadline, let message = publisher.due else {
            return pipeline.deadline ?? publisher.due
        }
        return min(stale, message)
    }

    /// Does what is due at `now`.
    package mutating func settle(at now: Instant, deliver: Publisher.Delivery) {
        while let change = pipeline.nextStale(at: now) { publisher.take(change, at: now, deliver: deliver) }
        publisher.flush(at: now, deliver: deliver)
    }

    /// Does what was due before the reading, then takes it. What is due at the same moment waits for the readings
    /// of that moment.
    package mutating func take(_ reading: Reading, deliver: Publisher.Delivery) {
        while let due, due < reading.at { settle(at: due, deliver: deliver) }
        publisher.take(pipeline.take(reading), at: reading.at, deliver: deliver)
    }
}
