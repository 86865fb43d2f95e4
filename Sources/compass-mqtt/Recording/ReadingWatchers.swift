import HeadingPipeline
import Synchronization

/// What the pipeline takes, as lines for whoever watches it just now, and what a new watcher has to know first.
final class ReadingWatchers: Sendable {
    /// Woken by the first reading that waits.
    let wakeup: Wakeup
    private let watching = Atomic<Bool>(false)
    private let state = Mutex(State())

    private struct State {
        var standing = StandingReadings()
        var lastFix: Reading?
        var pending: [UInt8] = []

        mutating func keep(_ reading: Reading) {
            if case .fix = reading.content { lastFix = reading } else { standing.take(reading) }
        }

        /// Whether it is the first that waits.
        mutating func append(_ reading: Reading) -> Bool {
            guard pending.count < ReadingWatchers.mostPending else { return false }
            defer { pending.appendLine(reading) }
            return pending.isEmpty
        }
    }

    private static let mostPending = 256 * 1024

    init() throws(Errno) { wakeup = try Wakeup() }

    /// In the order in which the pipeline takes them.
    func take(_ reading: Reading) {
        if Self.isKept(reading) { state.withLock { $0.keep(reading) } }
        guard watching.load(ordering: .relaxed) else { return }
        if state.withLock({ $0.append(reading) }) { wakeup.signal() }
    }

    /// Apart from the lock: Swift 6.0 does not compile a lock inside a case of an indirect enum.
    private static func isKept(_ reading: Reading) -> Bool {
        switch reading.content {
        case .opened, .lost, .fix: true
        case .sample, .compass, .satellites, .refused, .stored, .clock, .command, .trip: false
        }
    }

    /// Whether anybody watches.
    func expect(_ isExpected: Bool) { watching.store(isExpected, ordering: .relaxed) }

    func takePending() -> [UInt8] {
        state.withLock { state in
            defer { state.pending.removeAll(keepingCapacity: true) }
            return state.pending
        }
    }

    /// What is open, in the order in which it was opened, and the last fix.
    var standing: (opened: [Reading], fix: Reading?) {
        state.withLock { ($0.standing.open, $0.lastFix) }
    }
}
