import HeadingPipeline
import Synchronization

/// Messages on their way from the session's thread, which must not be held up, to the one that acts on them, in the
/// order in which they came. Bounded for each command: of a row of them the newest count, as of a slider that is drawn.
/// What is no command takes no command's place.
final class IncomingQueue: Sendable {
    let wakeup: Wakeup
    private let state = Mutex(Content())

    struct Content {
        fileprivate(set) var messages: [IncomingMessage] = []
        fileprivate(set) var dropped: [Dropped] = []
    }

    /// Messages to one topic that newer ones have pushed out.
    struct Dropped {
        fileprivate(set) var last: IncomingMessage
        fileprivate(set) var count: Int
    }

    /// Of each command, and of all that is none.
    static let capacity = 8

    init() throws(Errno) { wakeup = try Wakeup() }

    func put(_ message: IncomingMessage) {
        let wasEmpty = state.withLock { state in
            state.put(message)
            return state.messages.count == 1
        }
        if wasEmpty { wakeup.signal() }
    }

    /// All that wait, and what was dropped since the last call.
    func take() -> Content {
        state.withLock { state in
            defer { state = Content() }
            return state
        }
    }
}

extension IncomingQueue.Content {
    fileprivate mutating func put(_ message: IncomingMessage) {
        let command = message.command
        let rivals = messages.indices.filter { messages[$0].command == command }
        if rivals.count >= IncomingQueue.capacity, let oldest = rivals.first {
            drop(messages.remove(at: oldest))
        }
        messages.append(message)
    }

    private mutating func drop(_ message: IncomingMessage) {
        let command = message.command
        if let index = dropped.firstIndex(where: { $0.last.command == command }) {
            dropped[index].last = message
            dropped[index].count += 1
        } else {
            dropped.append(IncomingQueue.Dropped(last: message, count: 1))
        }
    }
}

extension IncomingMessage {
    /// `nil`: it is none.
    fileprivate var command: CommandTopic? {
        topic.split(separator: "/").dropLast().last.flatMap { CommandTopic(rawValue: String($0)) }
    }
}
