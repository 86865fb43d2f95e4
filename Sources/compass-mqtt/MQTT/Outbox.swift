import HeadingPipeline
import Synchronization

/// Where the threads of the agent leave messages for the session: one slot a topic, in which the newest value wins.
/// While the broker is away nothing is kept but that. The slots' storage is exchanged, never copied, and
/// used again, so that in steady state nothing is allocated.
final class Outbox: Sendable {
    /// A topic's place. Made by `add`, good for the outbox that made it.
    struct Slot: Hashable, Sendable { fileprivate let index: Int }

    let wakeup: Wakeup
    private let state = Mutex(State())

    fileprivate struct State {
        var entries: [Entry] = []
        var fresh = 0
        var superseded = 0
        var isReaderAsleep = false
        /// Everything is to be sent again.
        var isAllDue = false
        /// The connection, while the session sleeps and has lent it.
        var lane: DirectLane?
    }

    fileprivate struct Entry {
        let topic: OutboundTopic
        var newest: [UInt8] = []
        var isFresh = false
        var isLast = false
        /// Sent without the session, which has yet to learn of it.
        var isUnknownToReader = false
    }

    init() throws(Errno) { wakeup = try Wakeup() }

    /// Adds a topic, at any time. A name that is there already keeps its slot.
    func add(_ topic: OutboundTopic) -> Slot {
        state.withLock { state in
            if let index = state.entries.firstIndex(where: { $0.topic.name == topic.name }) {
                return Slot(index: index)
            }
            state.entries.append(Entry(topic: topic))
            return Slot(index: state.entries.count - 1)
        }
    }

    /// Leaves a value; it goes out after the next `flush`.
    func put(_ slot: Slot, _ payload: UnsafeRawBufferPointer) { replace(slot, with: payload, isLast: false) }

    func put(_ slot: Slot, _ payload: [UInt8]) { payload.withUnsafeBytes { put(slot, $0) } }

    func put(_ slot: Slot, _ payload: String) {
        var payload = payload
        payload.withUTF8 { put(slot, UnsafeRawBufferPointer($0)) }
    }

    /// Takes the retained message away from the broker, and again after each connect.
    func clear(_ slot: Slot) {
        replace(slot, with: UnsafeRawBufferPointer(start: nil, count: 0), isLast: false)
    }

    /// Sends a message once: the next connection does not get it again.
    func putOnce(_ slot: Slot, _ payload: [UInt8]) {
        payload.withUnsafeBytes { replace(slot, with: $0, isLast: true) }
    }

    /// Takes the retained message away from the broker once, and forgets the topic.
    func remove(_ slot: Slot) {
        replace(slot, with: UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    }

    /// Sends what was put, on the connection that the sleeping session has lent; where that cannot be done,
    /// wakes the session if it sleeps, once for any number of values.
    func flush() {
        let wakes = state.withLock { state in
            guard state.isReaderAsleep, state.fresh > 0, !state.sendDirectly() else { return false }
            state.isReaderAsleep = false
            return true
        }
        if wakes { wakeup.signal() }
    }

    /// Sends the last value of every topic again, in the order of a connect.
    func sendAllAgain() {
        let wakes = state.withLock { state in
            state.isAllDue = true
            defer { state.isReaderAsleep = false }
            return state.isReaderAsleep
        }
        if wakes { wakeup.signal() }
    }

    /// Values that were replaced before they could be sent.
    var supersededCount: Int { state.withLock { $0.superseded } }

    /// The storage of all values that wait, however often they were replaced.
    var reservedBytes: Int { state.withLock { $0.entries.reduce(0) { $0 + $1.newest.capacity } } }

    private func replace(_ slot: Slot, with payload: UnsafeRawBufferPointer, isLast: Bool) {
        state.withLock { state in
            if state.entries[slot.index].isFresh {
                state.superseded += 1
            } else {
                state.entries[slot.index].isFresh = true
                state.fresh += 1
            }
            state.entries[slot.index].isLast = isLast
            state.entries[slot.index].isUnknownToReader = false
            state.entries[slot.index].newest.removeAll(keepingCapacity: true)
            state.entries[slot.index].newest.append(contentsOf: payload)
        }
    }
}

// The session's side.
extension Outbox {
    /// Moves what is new into `outgoing`.
    func take(into outgoing: inout OutgoingTopics) {
        state.withLock { state in
            for entry in state.entries[outgoing.count...] { outgoing.append(entry.topic) }
            for index in state.entries.indices {
                if state.entries[index].isUnknownToReader {
                    outgoing.adopt(&state.entries[index].newest, at: index)
                    state.entries[index].isUnknownToReader = false
                } else if state.entries[index].isFresh {
                    let isLast = state.entries[index].isLast
                    outgoing.exchange(&state.entries[index].newest, at: index, isLast: isLast)
                    state.entries[index].isFresh = false
                }
            }
            state.fresh = 0
            if state.isAllDue { outgoing.makeAllDue() }
            state.isAllDue = false
        }
    }

    /// To be called before going to sleep: false when there is something to take. Only after true will `flush`
    /// wake the session, or use the lane that it lends.
    func mayReaderSleep(lending lane: DirectLane? = nil) -> Bool {
        state.withLock { state in
            state.isReaderAsleep = state.fresh == 0 && !state.isAllDue
            state.lane = state.isReaderAsleep ? lane : nil
            return state.isReaderAsleep
        }
    }

    /// Ends the loan; to be called before anything else is done with the connection.
    func takeLaneBack() -> DirectLane? {
        state.withLock { state in
            defer { state.lane = nil }
            return state.lane
        }
    }

    /// The session does not wait for values (any more).
    func readerIsBusy() { state.withLock { $0.isReaderAsleep = false } }
}

extension Outbox.State {
    /// False: the session has to do it.
    fileprivate mutating func sendDirectly() -> Bool {
        guard let count = lane?.topics.count, !lane.isBusy else { return false }
        for index in entries.indices where entries[index].isFresh {
            guard index < count, !entries[index].isLast,
                lane?.append(index, entries[index].newest) == true
            else {
                lane?.discard()
                return false
            }
        }
        guard lane?.send() == true else { return false }
        for index in entries.indices where entries[index].isFresh {
            entries[index].isFresh = false
            entries[index].isUnknownToReader = true
        }
        fresh = 0
        return lane?.batch.isPending == false
    }
}

extension DirectLane? {
    /// Bytes of an earlier batch have not left yet.
    fileprivate var isBusy: Bool { self?.batch.isPending ?? true }
}
