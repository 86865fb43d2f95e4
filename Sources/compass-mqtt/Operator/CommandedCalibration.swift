import HeadingPipeline
import Synchronization

/// A calibration that an operator starts by a message. It learns from the agent's own readings and hands back what it
/// has learned by the control socket, as `compass-mqtt calibrate` does, so that the same rules hold.
final class CommandedCalibration: Sendable {
    private let settings: Settings
    private let topics: PublishedTopics
    /// Its control socket would be another agent's, with readings of other sensors.
    private let isAnothersFolder: Bool
    private let enough: Wakeup
    private let state: Mutex<State>

    private struct State {
        var status = CalibrationStatus(quality: VesselCalibration.none)
        var sent: CalibrationStatus?
        var writer = PayloadWriter()
        var time: UTCTime?
    }

    /// Long enough for a hand that stops for a coffee; then what there is must do.
    private static let longest = Interval.seconds(900)
    private static let pace = Interval.seconds(1)

    init(
        _ settings: Settings, _ topics: PublishedTopics, _ folder: borrowing StateFolder
    ) throws(Errno) {
        self.settings = settings
        isAnothersFolder = folder.isAnothers
        self.topics = topics
        enough = try Wakeup()
        state = Mutex(State())
    }

    func carryOut(_ command: CommandPayload.CalibrationCommand) throws(CommandFault) {
        switch command {
        case .start: try start()
        case .stop:
            guard isCollecting else { throw CommandFault("means nothing now", "start") }
            enough.signal()
        }
    }

    private var isCollecting: Bool { state.withLock { $0.status.state == .collecting } }

    private func start() throws(CommandFault) {
        guard !isCollecting else { throw CommandFault("is under way already", "stop") }
        enough.clear()
        change {
            $0.state = .collecting
            $0.learned = nil
            $0.hint = nil
        }
        do throws(Errno) { try Thread.start("calibration") { self.run() } } catch { fail("\(error)") }
    }

    /// To be called now and then, with what is in force.
    func refresh(quality: String, time: UTCTime?) {
        state.withLock { $0.time = time }
        change { $0.quality = quality }
    }

    private func change(_ change: (inout CalibrationStatus) -> Void) {
        state.withLock { state in
            change(&state.status)
            guard state.status != state.sent else { return }
            state.sent = state.status
            state.status.write(to: &state.writer, time: state.time)
            topics.put(.calibration, state.writer.bytes)
        }
        topics.flush()
    }

    private func fail(_ reason: String) {
        change {
            $0.state = .failed
            $0.hint = reason
        }
        Log.warning("calibration: failed: \(reason)")
    }

    // MARK: On the thread of its own

    private func run() {
        do throws(FeedFault) {
            let feed = try openFeed()
            try finish(try collect(feed), feed)
        } catch {
            fail(error.description)
        }
    }

    private func openFeed() throws(FeedFault) -> AgentFeed {
        guard !isAnothersFolder else {
            throw FeedFault("another agent keeps its state in \(settings.agent.stateDirectory)")
        }
        do throws(Errno) { return try AgentFeed(stateDirectory: settings.agent.stateDirectory) } catch {
            throw FeedFault("no control socket in \(settings.agent.stateDirectory): \(error)")
        }
    }

    private func collect(_ feed: AgentFeed) throws(FeedFault) -> CalibrationSession {
        var session = CalibrationSession(settings: settings, isLevelTurn: false)
        var batch: [Reading] = []
        let start = SystemClock.now()
        var nextLook = start
        while true {
            DescriptorWait.untilReadable([feed.descriptor, enough.descriptor.number], until: nextLook)
            try feed.take(into: &batch)
            for reading in batch { session.take(reading) }
            let now = SystemClock.now()
            if isEnough || now - start > Self.longest { return session }
            guard now >= nextLook else { continue }
            nextLook = now + Self.pace
            let progress = CalibrationProgress(session, elapsed: now - start)
            if progress.isComplete { return session }
            show(progress)
        }
    }

    private var isEnough: Bool {
        DescriptorWait.isReadable(enough.descriptor.number)
    }

    private func show(_ progress: CalibrationProgress) {
        change {
            $0.learned = CalibrationStatus.Learned(progress.fit)
            $0.hint = progress.hint
        }
    }

    private func finish(_ session: CalibrationSession, _ feed: AgentFeed) throws(FeedFault) {
        let fit = session.fit()
        change { $0.learned = CalibrationStatus.Learned(fit) }
        guard let record = session.record(fit) else {
            let missing = fit.verdict.shortcomings.map(\.text).joined(separator: "; ")
            return fail(session.sensor == nil ? "no magnetometer" : missing)
        }
        let isBehind = fit.succession(after: session.stored).isBehind
        _ = try feed.save(record, behind: isBehind)
        change {
            $0.state = .done
            $0.hint = isBehind ? "The good calibration before still fits and stays in force." : nil
            if !isBehind, $0.quality != VesselCalibration.configured { $0.quality = fit.verdict.word }
        }
    }
}

extension CalibrationStatus.Learned {
    fileprivate init(_ fit: CalibrationFit) {
        self.init(coverage: fit.coverage, residual: fit.residual, verdict: fit.verdict.word)
    }
}
