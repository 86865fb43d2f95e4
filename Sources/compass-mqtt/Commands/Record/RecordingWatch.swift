import CLinux
import Glibc
import HeadingPipeline

/// The agent's loop without pipeline and broker: what the sources give goes into the recording, with the clock
/// once a second.
final class RecordingWatch {
    private let signals: SignalDescriptor
    private let recorder: Recorder
    private let sources: [any ReadingSource]
    private let calibrations: CalibrationStore
    private let inbox: Inbox
    private var lines: [SourceLine] = []
    private var batch: [Reading] = []

    init(_ recorder: Recorder, sources: [any ReadingSource], _ settings: Settings) throws(Errno) {
        // Before any thread starts, so that none of them takes a signal.
        signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
        self.recorder = recorder
        self.sources = sources
        calibrations = CalibrationStore(stateDirectory: settings.agent.stateDirectory)
        inbox = try Inbox()
    }

    /// Until a signal ends it, the time is over, or the disk takes no more.
    func run(for duration: Interval?) throws(Errno) {
        let start = SystemClock.now()
        let end = duration.map { start + $0 }
        var nextSecond = start
        try recorder.start()
        for source in sources { try begin(source) }
        while signals.next() == nil, recorder.failure == nil {
            let now = SystemClock.now()
            takeReadings()
            if let end, now >= end { break }
            if now >= nextSecond {
                recorder.take(Reading(at: now, .clock(SystemClock.wallTime())))
                nextSecond = now + .seconds(1)
            }
            let deadline = end.map { min($0, nextSecond) } ?? nextSecond
            Poll.wait(signals.descriptor.number, inbox.wakeup.descriptor.number, until: deadline)
        }
        for line in lines { line.requestStop() }
        recorder.stop(within: .seconds(5))
    }

    private func begin(_ source: any ReadingSource) throws(Errno) {
        let line = try SourceLine(inbox: inbox)
        lines.append(line)
        try Thread.start("source") { source.run(line) }
    }

    private func takeReadings() {
        let dropped = inbox.takeAll(into: &batch)
        if dropped > 0 { recorder.noteOverrun(dropped) }
        for reading in batch {
            recorder.take(reading)
            tell(reading)
        }
    }

    private func tell(_ reading: Reading) {
        switch reading.content {
        case .opened(let source, let description):
            Log.info("\(source.name): opened\(description.map { " (\($0.identity))" } ?? "")")
            if let description { recallCalibration(of: description.identity, source, at: reading.at) }
        case .lost(let source, let reason): Log.warning("\(source.name): \(reason)")
        default: break
        }
    }

    /// As the agent would give it to its pipeline.
    private func recallCalibration(of sensor: String, _ source: Source, at now: Instant) {
        guard source == .magnetometer else { return }
        do throws(CalibrationStore.Fault) {
            guard let file = try calibrations.bytes(of: sensor) else { return }
            recorder.take(Reading(at: now, .stored(source, file)))
        } catch {
            Log.warning("calibration: \(error)")
        }
    }
}
