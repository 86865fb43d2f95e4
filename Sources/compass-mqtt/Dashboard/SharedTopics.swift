import HeadingPipeline
import Synchronization

/// What the broker has sent, between the session's thread, which puts it in, and the dashboard's, which shows it.
final class SharedTopics: Sendable {
    private let store: Mutex<TopicStore>
    private let wakeup: Wakeup
    private let hasNews = Atomic<Bool>(false)

    init(filters: [VesselFilter]) throws(Errno) {
        store = Mutex(TopicStore(filters: filters))
        wakeup = try Wakeup()
    }

    /// Readable when something has come; -1, waited for in vain, where that makes no difference.
    func descriptor(isAwaited: Bool) -> Int32 { isAwaited ? wakeup.descriptor.number : -1 }

    /// Whether something has come since the last call.
    func takeWakeup() -> Bool { hasNews.exchange(false, ordering: .acquiringAndReleasing) && clear() }

    private func clear() -> Bool {
        wakeup.clear()
        return true
    }

    /// On the session's thread.
    func take(_ message: IncomingMessage) {
        let isNews = store.withLock {
            $0.take(message.topic, message.payload, isStored: message.isStored, at: SystemClock.now())
        }
        if isNews, !hasNews.exchange(true, ordering: .acquiringAndReleasing) { wakeup.signal() }
    }

    func forget(olderThan connect: Instant) { store.withLock { $0.forget(olderThan: connect) } }

    /// A copy, which shares its storage until the next message.
    var snapshot: TopicStore { store.withLock { $0 } }
}
