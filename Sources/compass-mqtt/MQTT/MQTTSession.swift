import Glibc
import HeadingPipeline
import Synchronization

/// The agent's side of the connection to the broker: starts and stops the thread that has it, and tells how it
/// stands. Everything else goes through the outbox.
final class MQTTSession: Sendable {
    enum State: String, Sendable { case waiting, connecting, connected, stopped }

    /// How the session stands.
    struct Snapshot: Sendable {
        var state = State.waiting
        /// When this state began.
        var since: Instant
        /// What went wrong last; `nil` while all is well.
        var reason: String?
        /// Connections that the broker accepted.
        var connects = 0
        /// Messages handed to the connection.
        var sent = 0
        /// Messages that the broker would not take.
        var refused = 0
        /// Values that a newer one replaced before they could be sent.
        var superseded = 0

        mutating func enter(_ state: State, at now: Instant) {
            guard state != self.state else { return }
            self.state = state
            since = now
            if state == .connected { connects += 1 }
        }
    }

    let settings: Settings.Mqtt
    let clientId: String
    /// `nil`: nobody is told whether it is there.
    let presence: OutboundTopic?
    let subscriptions: [Subscription]
    let outbox: Outbox

    private let latest: Mutex<Snapshot>
    private let stopDeadline = Atomic<Int64>(.max)
    private let aliveUntil = Atomic<Int64>(.max)
    private let stopped: Wakeup
    private let farewell = Atomic<Farewell>(.unconfirmed)

    /// - Parameter statusTopic: says `online` while connected; the broker says `offline` there when the agent
    ///   is gone. `nil`: none does.
    init(
        settings: Settings.Mqtt, clientId: String, statusTopic: String?, outbox: Outbox,
        subscriptions: [Subscription] = []
    ) throws(Errno) {
        self.settings = settings
        self.clientId = clientId
        self.outbox = outbox
        self.subscriptions = subscriptions
        presence = statusTopic.map { OutboundTopic(name: $0, stage: .presence, qos: 1) }
        latest = Mutex(Snapshot(since: SystemClock.now()))
        stopped = try Wakeup()
        if let presence { outbox.put(outbox.add(presence), "online") }
    }

    /// Begins to connect, and goes on for as long as the process lives or until `stop`.
    func start() throws(Errno) {
        // libmosquitto 2.0.11 writes to closed sockets.
        signal(SIGPIPE, SIG_IGN)
        try Thread.start("mqtt") { SessionLoop(self).run() }
    }

    /// Publishes `offline`, waits for the broker's word that it has it, disconnects; gives up after `limit`,
    /// whatever the connection is stuck in.
    func stop(within limit: Interval) -> Farewell {
        let deadline = SystemClock.now() + limit
        stopDeadline.store(deadline.nanoseconds, ordering: .sequentiallyConsistent)
        outbox.wakeup.signal()
        stopped.wait(until: deadline)
        return farewell.load(ordering: .sequentiallyConsistent)
    }

    var snapshot: Snapshot {
        var snapshot = latest.withLock { $0 }
        snapshot.superseded = outbox.supersededCount
        return snapshot
    }

    /// False when the thread has not come back from where it promised to.
    func isAlive(at now: Instant) -> Bool { now.nanoseconds <= aliveUntil.load(ordering: .relaxed) }
}

extension MQTTSession {
    /// How the last word went: `offline`, after all that was due.
    enum Farewell: UInt8, AtomicRepresentable {
        case confirmed, unconfirmed
        /// There was no broker to say it to.
        case notConnected
    }
}

// For the session's thread.
extension MQTTSession {
    /// When to be gone; `nil`: nobody asked.
    var stopBy: Instant? {
        let deadline = stopDeadline.load(ordering: .sequentiallyConsistent)
        return deadline == .max ? nil : Instant(nanoseconds: deadline)
    }

    func expectProgress(by limit: Instant) { aliveUntil.store(limit.nanoseconds, ordering: .relaxed) }

    func update(_ change: (inout Snapshot) -> Void) { latest.withLock { change(&$0) } }

    func didStop(_ farewell: Farewell) {
        aliveUntil.store(.max, ordering: .relaxed)
        self.farewell.store(farewell, ordering: .sequentiallyConsistent)
        update {
            $0.state = .stopped
            $0.since = SystemClock.now()
        }
        stopped.signal()
    }
}
