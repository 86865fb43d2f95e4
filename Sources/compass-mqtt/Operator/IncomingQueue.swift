import HeadingPipeline
import Synchronization

/// Messages on their way from the session's thread, which must not be held up, to the one that acts on them.
/// Bounded: what comes while it is full is dropped and counted.
final class IncomingQueue: Sendable {
    let wakeup: Wakeup
    private let state = Mutex(State())

    private struct State {
        var messages: [IncomingMessage] = []
        var dropped = 0
    }

    static let capacity = 64

    init() throws(Errno) { wakeup = try Wakeup() }

    func put(_ message: IncomingMessage) {
        let wasEmpty = state.withLock { state in
            guard state.messages.count < Self.capacity else {
                state.dropped += 1
                return false
            }
            state.messages.append(message)
            return state.messages.count == 1
        }
        if wasEmpty { wakeup.signal() }
    }

    /// All that wait, and how many were dropped since the last call.
    func take() -> (messages: [IncomingMessage], dropped: Int) {
        state.withLock { state in
            defer { state = State() }
            return (state.messages, state.dropped)
        }
    }
}
