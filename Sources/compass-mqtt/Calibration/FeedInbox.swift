import HeadingPipeline
import Synchronization

/// Readings on their way from the sources' threads to the one that learns from them; the newest win.
final class FeedInbox: ReadingSink {
    let wakeup: Wakeup
    private let readings = Mutex<[Reading]>([])

    private static let capacity = 8192

    init() throws(Errno) { wakeup = try Wakeup() }

    func take(_ reading: Reading) {
        let wasEmpty = readings.withLock { readings in
            if readings.count >= Self.capacity { readings.removeFirst(Self.capacity / 2) }
            readings.append(reading)
            return readings.count == 1
        }
        if wasEmpty { wakeup.signal() }
    }

    /// Exchanges the readings so far for the emptied batch.
    func takeAll(into batch: inout [Reading]) {
        wakeup.clear()
        batch.removeAll(keepingCapacity: true)
        readings.withLock { swap(&$0, &batch) }
    }
}
