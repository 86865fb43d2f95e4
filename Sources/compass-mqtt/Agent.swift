import Glibc
import HeadingPipeline

/// The agent at work: each source reads on a thread of its own and takes its readings through the pipeline;
/// messages go to the session's thread by way of the outbox. This thread keeps the time: stale sources,
/// heartbeats, diagnostics, the watchdog. It runs until a signal ends it.
final class Agent {
    private let signals: SignalDescriptor
    private let service = ServiceManager()
    private let topics: PublishedTopics
    private let session: MQTTSession
    /// The sources that have no thread yet.
    private var waiting: [any ReadingSource]
    private let pipeline: LivePipeline
    private let recorder: Recorder?
    /// The first that the sources' readings meet.
    private let recall: CalibrationRecall
    private let control: ControlServer?
    private let desk: CommandDesk
    private let calibration: CommandedCalibration
    private let settings: Settings
    private let claim: SensorClaim
    private let folder: StateFolder
    private let outbox: Outbox
    private let births: BirthListener
    private var announcer: DiscoveryAnnouncer
    private var lines: [SourceLine] = []

    private var report: DiagnosticsReport
    private var nextSecond: Instant
    private var nextWatchdog: Instant

    init(settings configured: Settings, sources: [any ReadingSource]) throws(Errno) {
        // Before any thread starts, so that none of them takes a signal.
        signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
        waiting = sources
        let id = AgentIdentity.id(configured: configured.agent.id)
        let base = configured.publish.baseTopic ?? "compass/\(id)"
        folder = StateFolder(configured.agent.stateDirectory)
        desk = try CommandDesk(configured, base: base, folder)
        let settings = desk.inForce(configured)
        self.settings = settings
        outbox = try Outbox()
        let now = SystemClock.now()
        let device = HomeAssistantDevice(settings: settings, id: id, base: base, version: Version.number)
        announcer = DiscoveryAnnouncer(device, settings: settings, folder, outbox: outbox, at: now)
        births = BirthListener(settings)
        session = try MQTTSession(
            settings: settings.mqtt, clientId: settings.mqtt.clientId ?? "compass-\(id)",
            statusTopic: "\(base)/\(Topic.status.path)", outbox: outbox,
            subscriptions: desk.subscriptions + births.subscriptions)
        topics = PublishedTopics(outbox, base: base, settings: settings.publish)
        nextSecond = now
        nextWatchdog = now
        calibration = try CommandedCalibration(settings, topics, folder)
        recorder = Recorder(settings: settings)
        let watchers = try ReadingWatchers()
        pipeline = LivePipeline(
            settings: settings, topics: topics, recorder: recorder, watchers: watchers)
        let state = settings.agent.stateDirectory
        let store = CalibrationStore(stateDirectory: state)
        recall = CalibrationRecall(store, for: pipeline)
        control =
            folder.isAnothers
            ? nil : ControlServer.start(watchers, sink: recall, store: store, stateDirectory: state)
        claim = SensorClaim(stateDirectory: state)
        report = DiagnosticsReport(heartbeat: settings.publish.heartbeat, startingAt: now)
        Log.info("compass-mqtt \(Version.number): topics below \(base)")
    }

    func run() throws(Errno) -> ExitStatus {
        for source in Source.allCases { topics.putStatus(of: source, isOnline: false) }
        topics.clearUnjudged()
        pipeline.begin(settings.heading)
        tick(at: SystemClock.now())
        desk.restore(to: pipeline)
        try desk.start(pipeline, topics, calibration)
        try session.start()
        try recorder?.start()
        startReading()
        service.ready("running")
        while true {
            DescriptorWait.untilReadable(
                signals.descriptor.number, until: min(nextSecond, pipeline.deadline ?? nextSecond))
            if signals.tellToEnd() { break }
            let now = SystemClock.now()
            pipeline.advance(to: now)
            guard now >= nextSecond else { continue }
            tick(at: now)
            startReading()
        }
        return stop()
    }

    /// Unless a calibration reads the sensors just now. Where a thread cannot be had, it is tried again.
    private func startReading() {
        guard !waiting.isEmpty, claim.acquire() else { return }
        while let source = waiting.first {
            do throws(Errno) { try start(source) } catch {
                return Log.warning("no thread for a source: \(error)")
            }
            waiting.removeFirst()
        }
    }

    private func start(_ source: any ReadingSource) throws(Errno) {
        let line = try SourceLine(sink: recall)
        try Thread.start("source") { source.run(line) }
        lines.append(line)
    }

    /// Once a second: the wall clock, the watchdog, the diagnostics.
    private func tick(at now: Instant) {
        nextSecond = now + .seconds(1)
        pipeline.take(Reading(at: now, .clock(SystemClock.wallTime())))
        calibration.refresh(quality: pipeline.calibrationQuality, time: pipeline.time(at: now))
        feedWatchdog(at: now)
        announcer.look(pipeline.sources, session.snapshot, at: now)
        if births.isDue(at: now) { outbox.sendAllAgain() }
        report.note(news: pipeline.newsSoFar, at: now)
        guard report.isDue(at: now) else { return }
        report.write(pipeline.snapshot, session.snapshot, desk.counts, desk.storageFault, at: now) {
            topics.put($0, $1)
        }
        topics.flush()
    }

    /// Only while the session and each source keep their promise to come back.
    private func feedWatchdog(at now: Instant) {
        guard let interval = service.watchdogInterval, now >= nextWatchdog else { return }
        guard session.isAlive(at: now), lines.allSatisfy({ $0.isAlive(at: now) }) else { return }
        service.feedWatchdog()
        nextWatchdog = now + interval * 0.5
    }

    /// Under 3 s whatever is stuck: threads that do not come back end with the process.
    private func stop() -> ExitStatus {
        service.stopping()
        let limit = SystemClock.now() + .milliseconds(2800)
        for line in lines { line.requestStop() }
        control?.stop()
        desk.requestStop()
        recorder?.stop(within: .milliseconds(500))
        for source in Source.allCases { topics.putStatus(of: source, isOnline: false) }
        if session.stop(within: .seconds(2)) == .unconfirmed {
            Log.warning("the broker did not confirm the last message in time")
        }
        // It has had all this time for a slow disk.
        if !desk.hasStopped(by: limit) {
            Log.warning("the disk did not take in time what commands have set: it may not last the restart")
        }
        return .done
    }
}
