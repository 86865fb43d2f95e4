import Glibc
import HeadingPipeline
import Synchronization

/// Where operators' messages are carried out, on a thread of its own, since a disk may take its time. It keeps the trip
/// too, with or without commands.
final class CommandDesk: Sendable {
    let queue: IncomingQueue
    let base: String
    let version: Settings.MqttVersion
    let isEnabled: Bool
    let store: KeptStateStore
    /// What the config file says of the settings that commands change.
    let configured: Settings.Heading
    /// What earlier runs have kept.
    let kept: KeptState
    /// Why nothing may be written over what lies in the state folder.
    let obstacle: String?
    /// Why nothing could be written there at the start.
    let folderFault: Errno?

    private let fault: Mutex<String?>
    private let acceptedCount = Atomic<UInt64>(0)
    private let refusedCount = Atomic<UInt64>(0)
    private let stopping = Atomic<Bool>(false)
    private let isFinished = Atomic<Bool>(false)
    private let finished: Wakeup

    init(_ settings: Settings, base: String, _ folder: borrowing StateFolder) throws(Errno) {
        self.base = base
        version = settings.mqtt.version
        isEnabled = settings.commands.isEnabled
        configured = settings.heading
        store = KeptStateStore(stateDirectory: settings.agent.stateDirectory)
        let recalled = folder.isAnothers ? .anothers(folder.path) : store.recall()
        kept = recalled.state
        obstacle = recalled.obstacle
        folderFault = folder.fault
        // A card that is kept read-only is so on purpose.
        let known = folder.fault.flatMap { $0.code == EROFS ? nil : "\(folder.path): \($0)" }
        fault = Mutex(recalled.obstacle ?? known)
        queue = try IncomingQueue()
        finished = try Wakeup()
    }

    /// What the session is to listen to: nothing unless commands are enabled.
    var subscriptions: [Subscription] {
        guard isEnabled else { return [] }
        let queue = queue
        return [Subscription("\(base)/+/set", tellsRetained: true) { queue.put($0) }]
    }

    /// What earlier commands have set goes before the config file.
    func inForce(_ settings: Settings) -> Settings {
        guard isEnabled else { return settings }
        var settings = settings
        for command in kept.settings { settings.heading.adopt(command) }
        return settings
    }

    /// Tells the pipeline how things stood.
    func restore(to pipeline: LivePipeline) {
        let now = SystemClock.now()
        pipeline.take(Reading(at: now, .trip(kept.trip)))
        guard isEnabled else { return }
        for command in kept.guidance { pipeline.take(Reading(at: now, .command(command))) }
    }

    func start(
        _ pipeline: LivePipeline, _ topics: PublishedTopics, _ calibration: CommandedCalibration
    ) throws(Errno) {
        try Thread.start("commands") { CommandLoop(self, pipeline, topics, calibration).run() }
    }

    /// What is new is saved first.
    func requestStop() {
        stopping.store(true, ordering: .sequentiallyConsistent)
        queue.wakeup.signal()
    }

    /// Waits no longer than that for the disk.
    func hasStopped(by limit: Instant) -> Bool {
        finished.wait(until: limit)
        return isFinished.load(ordering: .sequentiallyConsistent)
    }

    /// Why nothing lasts a restart; `nil`: it does.
    var storageFault: String? { fault.withLock { $0 } }

    /// `nil` while commands are not enabled.
    var counts: Diagnostics.Commands? {
        guard isEnabled else { return nil }
        return Diagnostics.Commands(
            accepted: acceptedCount.load(ordering: .relaxed), refused: refusedCount.load(ordering: .relaxed))
    }
}

// For the thread.
extension CommandDesk {
    var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }
    func didAccept() { acceptedCount.add(1, ordering: .relaxed) }
    func didRefuse(_ count: Int = 1) { refusedCount.add(UInt64(clamping: count), ordering: .relaxed) }
    func didSave(_ fault: String?) { self.fault.withLock { $0 = fault } }
    func didStop() {
        isFinished.store(true, ordering: .sequentiallyConsistent)
        finished.signal()
    }
}
