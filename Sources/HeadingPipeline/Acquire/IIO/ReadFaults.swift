/// Tells when failing reads are worth a line in the log: once when they have gone on for a while, and once when
/// they have ended. A single failure now and then is only counted.
package struct ReadFaults: Sendable {
    package enum Notice: Hashable, Sendable {
        case failing
        case recovered(failures: Int)
    }

    private var since: Instant?
    private var failures = 0
    private var isReported = false
    private let patience: Interval

    package init(patience: Interval = .seconds(1)) { self.patience = patience }

    package var isFailing: Bool { since != nil }

    package mutating func failed(at now: Instant) -> Notice? {
        failures += 1
        let start = since ?? now
        since = start
        guard !isReported, now - start >= patience else { return nil }
        isReported = true
        return .failing
    }

    package mutating func succeeded() -> Notice? {
        guard since != nil else { return nil }
        defer { self = ReadFaults(patience: patience) }
        return isReported ? .recovered(failures: failures) : nil
    }
}
