import CLinux
import Glibc
import HeadingPipeline

/// The agent at work: readings come in from the sources' threads, go through the pipeline on this one, and
/// leave through the outbox to the session's thread. It runs until a signal ends it.
final class Agent {
    private let settings: Settings
    private let signals: SignalDescriptor
    private let service = ServiceManager()
    private let inbox: Inbox
    private let outbox: PublishedTopics
    private let session: MQTTSession
    private let sources: [any ReadingSource]
    private let calibrations: CalibrationStore
    private var lines: [SourceLine] = []

    private var pipeline: Pipeline
    private var publisher: Publisher
    private var report: DiagnosticsReport
    private var batch: [Reading] = []
    private var lastNotice: CalibrationNotice?
    private var nextSecond = SystemClock.now()
    private var nextWatchdog = SystemClock.now()

    init(settings: Settings, sources: [any ReadingSource]) throws(Errno) {
        // Before any thread starts, so that none of them takes a signal.
        signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
        self.settings = settings
        self.sources = sources
        calibrations = CalibrationStore(stateDirectory: settings.agent.stateDirectory)
        let id = AgentIdentity.id(configured: settings.agent.id)
        let base = settings.publish.baseTopic ?? "compass/\(id)"
        inbox = try Inbox()
        let slots = try Outbox()
        session = try MQTTSession(
            settings: settings.mqtt, clientId: settings.mqtt.clientId ?? "compass-\(id)",
            statusTopic: "\(base)/\(Topic.status.path)", outbox: slots)
        outbox = PublishedTopics(slots, base: base, settings: settings.publish)
        pipeline = Pipeline(settings: settings)
        publisher = Publisher(settings: settings)
        report = DiagnosticsReport(heartbeat: settings.publish.heartbeat, startingAt: SystemClock.now())
        Log.info("compass-mqtt \(Version.number): topics below \(base)")
    }

    func run() throws(Errno) -> ExitStatus {
        for source in Source.allCases { outbox.putStatus(of: source, isOnline: false) }
        outbox.clearUnjudged()
        tick(at: SystemClock.now())
        try session.start()
        for source in sources { try start(source) }
        service.ready("running")
        while true {
            sleep(until: deadline)
            if let signal = signals.next(), isEnd(signal) { break }
            takeReadings()
            let now = SystemClock.now()
            if now >= nextSecond { tick(at: now) }
            flush(at: now)
        }
        return stop()
    }

    private func start(_ source: any ReadingSource) throws(Errno) {
        let line = try SourceLine(inbox: inbox)
        lines.append(line)
        try Thread.start("source") { source.run(line) }
    }

    /// SIGHUP is accepted, so that a reload never ends the agent.
    private func isEnd(_ signal: Int32) -> Bool {
        if signal == SIGHUP {
            Log.info("SIGHUP: settings are read at start only; restart to change them")
            return false
        }
        Log.info("stopping on signal \(signal)")
        return true
    }

    // MARK: The loop

    private var deadline: Instant {
        var deadline = nextSecond
        if let due = publisher.due { deadline = min(deadline, due) }
        if let stale = pipeline.deadline { deadline = min(deadline, stale) }
        return deadline
    }

    private func sleep(until deadline: Instant) {
        var entries = (
            pollfd(fd: signals.descriptor.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: inbox.wakeup.descriptor.number, events: Int16(POLLIN), revents: 0)
        )
        let left = max(0, (deadline - SystemClock.now()).nanoseconds)
        var limit = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
        withUnsafeMutablePointer(to: &entries) {
            _ = $0.withMemoryRebound(to: pollfd.self, capacity: 2) { ppoll($0, 2, &limit, nil) }
        }
    }

    private func takeReadings() {
        let dropped = inbox.takeAll(into: &batch)
        if dropped > 0 { pipeline.noteOverrun(dropped) }
        for reading in batch { take(reading) }
    }

    private func take(_ reading: Reading) {
        publish(pipeline.take(reading), at: reading.at)
        if case .opened(.magnetometer, let description?) = reading.content {
            recallCalibration(of: description.identity, at: reading.at)
        }
    }

    /// Gives the pipeline what was saved for the sensor that has been opened, and says what is in force.
    private func recallCalibration(of sensor: String, at now: Instant) {
        do throws(CalibrationStore.Fault) {
            if let bytes = try calibrations.bytes(of: sensor) {
                publish(pipeline.take(Reading(at: now, .stored(.magnetometer, bytes))), at: now)
            }
        } catch {
            Log.warning("calibration: \(error)")
        }
        CalibrationNotice(pipeline.calibrations, path: calibrations.path(of: sensor)).log(after: &lastNotice)
        report.hasNews(at: now)
    }

    private func publish(_ new: Measurements, at now: Instant) {
        if let status = new.status { tell(status, at: now) }
        publisher.take(new, at: now) { outbox.put($0, $1) }
    }

    /// A source came or went: a line in the log, and a diagnosis that is sent soon.
    private func tell(_ change: StatusChange, at now: Instant) {
        switch pipeline.sources[change.source].state {
        case .online:
            let device = pipeline.sources[change.source].description.map { " (\($0.identity))" } ?? ""
            Log.info("\(change.source.name): online\(device)")
        case .offline(let reason): Log.warning("\(change.source.name): offline: \(reason)")
        }
        report.hasNews(at: now)
    }

    private func flush(at now: Instant) {
        while let change = pipeline.nextStale(at: now) { publish(change, at: now) }
        publisher.flush(at: now) { outbox.put($0, $1) }
        outbox.flush()
    }

    /// Once a second: the wall clock, the watchdog, the diagnostics.
    private func tick(at now: Instant) {
        nextSecond = now + .seconds(1)
        publish(pipeline.take(Reading(at: now, .clock(SystemClock.wallTime()))), at: now)
        feedWatchdog(at: now)
        if report.isDue(at: now) {
            report.write(pipeline, session.snapshot, at: now) { outbox.put($0, $1) }
        }
    }

    /// Only while the session and each source keep their promise to come back.
    private func feedWatchdog(at now: Instant) {
        guard let interval = service.watchdogInterval, now >= nextWatchdog else { return }
        guard session.isAlive(at: now), lines.allSatisfy({ $0.isAlive(at: now) }) else { return }
        service.feedWatchdog()
        nextWatchdog = now + interval * 0.5
    }

    // MARK: The end

    /// Under 3 s whatever is stuck: threads that do not come back end with the process.
    private func stop() -> ExitStatus {
        service.stopping()
        for line in lines { line.requestStop() }
        for source in Source.allCases { outbox.putStatus(of: source, isOnline: false) }
        if !session.stop(within: .seconds(2)) {
            Log.warning("the broker did not confirm the last message in time")
        }
        return .done
    }
}
