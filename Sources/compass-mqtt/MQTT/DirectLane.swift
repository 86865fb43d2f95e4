import Glibc

/// The connection as the sleeping session lends it: whoever has values then sends them himself, one call a
/// batch, instead of waking a thread for it. Only QoS 0 without TLS can go this way, and nothing that blocks.
struct DirectLane: Sendable {
    struct Topic: Sendable {
        /// `nil`: has to go through the session.
        var head: [UInt8]?
        var isRetained: Bool
    }

    private let socket: Int32
    private let longestPacket: Int
    let topics: [Topic]
    private(set) var batch: PublishBatch
    private var waiting = 0
    /// Messages that went this way.
    private(set) var sent = 0

    init(socket: Int32, longestPacket: Int, topics: [Topic], batch: PublishBatch) {
        self.socket = socket
        self.longestPacket = longestPacket
        self.topics = topics
        self.batch = batch
    }

    /// False: this message cannot go this way.
    mutating func append(_ index: Int, _ payload: [UInt8]) -> Bool {
        guard let head = topics[index].head,
            batch.append(head, payload, retain: topics[index].isRetained, limit: longestPacket)
        else { return false }
        waiting += 1
        return true
    }

    /// Forgets what was appended since the last `send`.
    mutating func discard() {
        batch.discard()
        waiting = 0
    }

    /// Gives what was appended to the socket; what that does not take yet stays in the batch. False: the
    /// connection is broken, and nothing counts as sent.
    mutating func send() -> Bool {
        do throws(Errno) {
            try batch.send(to: socket)
        } catch {
            discard()
            return false
        }
        sent += waiting
        waiting = 0
        return true
    }
}
