import HeadingPipeline
import Synchronization

/// Writes readings to a recording on a thread of its own, so that a slow disk holds up nothing. A write that
/// fails ends the recording with one line in the log, and nothing else.
final class Recorder: Sendable {
    private let path: String
    private let files: Mutex<RecordingFiles>
    private let state = Mutex(State())
    private let wakeup: Wakeup
    private let finished: Wakeup

    private struct State {
        var pending: [UInt8] = []
        var standing = StandingReadings()
        /// As it was before the first line that is pending.
        var standingBefore = StandingReadings()
        var recorded = 0
        /// Since the last line, because too much waits for the disk.
        var lost = 0
        var isStopping = false
        var failure: Errno?

        mutating func noteLoss() {
            guard lost > 0 else { return }
            pending.append(contentsOf: "# \(lost) readings are missing here\n".utf8)
            lost = 0
        }
    }

    /// What may wait for the disk: minutes of all sensors at their usual rates.
    private static let mostPending = 2 * 1024 * 1024
    private static let pause = Interval.seconds(1)

    /// - Parameter limit: bytes of all files together.
    init(_ path: String, limit: Int, head: RecordingHead) throws(RecordingError) {
        self.path = path
        files = Mutex(try RecordingFiles(path, limit: limit, head: head))
        do throws(Errno) {
            wakeup = try Wakeup()
            finished = try Wakeup()
        } catch {
            throw RecordingError("\(path): \(error)")
        }
    }

    func start() throws(Errno) { try Thread.start("record") { self.run() } }

    /// - Parameter trip: what it has come to with this reading.
    func take(_ reading: Reading, trip: TripTotals? = nil) {
        state.withLock { state in
            guard state.failure == nil else { return }
            guard state.pending.count < Self.mostPending else {
                state.lost += 1
                return
            }
            state.noteLoss()
            state.standing.take(reading, trip: trip)
            state.pending.appendLine(reading)
            state.recorded += 1
        }
    }

    var recordedCount: Int { state.withLock { $0.recorded } }
    var failure: Errno? { state.withLock { $0.failure } }

    /// Writes what is pending; waits no longer than `limit` for the disk.
    func stop(within limit: Interval) {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
        finished.wait(until: SystemClock.now() + limit)
    }

    // MARK: The thread

    private func run() {
        var chunk = RecordingChunk()
        var isLast = false
        do throws(Errno) {
            while !isLast {
                wakeup.wait(until: SystemClock.now() + Self.pause)
                isLast = exchange(&chunk)
                try files.withLock { (files) throws(Errno) in try files.append(chunk) }
            }
        } catch {
            state.withLock {
                $0.failure = error
                $0.pending = []
            }
            Log.error("the recording \(path) ends here: \(error)")
        }
        finished.signal()
    }

    /// Takes the pending lines and leaves the chunk's storage for the next ones. True: there will be no more.
    private func exchange(_ chunk: inout RecordingChunk) -> Bool {
        chunk.lines.removeAll(keepingCapacity: true)
        chunk.opening.removeAll(keepingCapacity: true)
        return state.withLock { state in
            state.noteLoss()
            state.standingBefore.append(to: &chunk.opening)
            state.standingBefore = state.standing
            swap(&state.pending, &chunk.lines)
            return state.isStopping
        }
    }
}
