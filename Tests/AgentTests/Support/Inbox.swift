import HeadingPipeline
import Synchronization

@testable import compass_mqtt

/// Keeps what a source delivers, for a test to look at.
final class Inbox: ReadingSink {
    let wakeup: Wakeup
    private let state: Mutex<State>

    private struct State {
        var readings: [Reading] = []
        var dropped = 0
    }

    init(capacity: Int = 1024) throws(Errno) {
        wakeup = try Wakeup()
        self.capacity = capacity
        var initial = State()
        initial.readings.reserveCapacity(capacity)
        state = Mutex(initial)
    }

    private let capacity: Int

    func take(_ reading: Reading) {
        let wasEmpty = state.withLock { state in
            if state.readings.count >= capacity {
                // Half at once, so that a full inbox costs no shift for each reading.
                state.readings.removeFirst(capacity / 2)
                state.dropped += capacity / 2
            }
            state.readings.append(reading)
            return state.readings.count == 1
        }
        if wasEmpty { wakeup.signal() }
    }

    /// Exchanges the readings so far for the caller's emptied array, so that both keep their storage.
    /// Returns how many were dropped since the last call.
    func takeAll(into batch: inout [Reading]) -> Int {
        wakeup.clear()
        batch.removeAll(keepingCapacity: true)
        return state.withLock { state in
            swap(&state.readings, &batch)
            defer { state.dropped = 0 }
            return state.dropped
        }
    }
}
