import CLinux
import Glibc
import HeadingPipeline

/// One connection to the broker from its first packet to its end: moves bytes when the socket is ready, and
/// messages from the outbox when the broker takes them. Nothing is queued here: what the broker does not take
/// stays in the outbox, where the newest value wins.
final class BrokerConnection {
    private let handle: BrokerHandle
    /// Without TLS values go to the socket in batches of our own.
    private let canBatch: Bool
    private var batch = PublishBatch()
    private var laneTopics: [DirectLane.Topic] = []
    private let keepalive: Interval
    private let tickInterval: Interval
    /// Since when the broker takes nothing; `nil`: it takes all.
    private var stalledSince: Instant?
    private var nextTick = Instant(nanoseconds: .min)
    /// The socket's own connect is through.
    private var isEstablished = false
    private(set) var isAccepted = false

    private var counts = Counts()

    /// What became of messages.
    struct Counts: Hashable {
        var sent = 0
        /// Too large for the broker.
        var refused = 0
    }

    /// More would only wait inside libmosquitto.
    private static let mostUnacknowledged = 10
    /// The longest wait for the broker's word that it has `offline`.
    private static let farewellLimit = Interval.milliseconds(1500)

    /// - Parameter endpoint: numeric address, or the path of a unix socket.
    init(_ handle: BrokerHandle, to endpoint: Endpoint, settings: Settings.Mqtt) throws(SessionFault) {
        self.handle = handle
        canBatch = !settings.tls.isEnabled
        keepalive = settings.keepalive
        // The broker may have set a shorter keepalive than ours.
        tickInterval = max(.seconds(1), min(settings.keepalive * 0.1, .seconds(4)))
        try handle.connect(to: endpoint, keepalive: settings.keepalive)
        if endpoint.isTCP { limitSilence(to: settings.keepalive) }
    }

    /// Sends what is due, then sleeps until the socket or the outbox has something, or until `deadline`.
    func turn(_ outbox: Outbox, _ outgoing: inout OutgoingTopics, until deadline: Instant?)
        throws(SessionFault)
    {
        if isAccepted {
            outbox.take(into: &outgoing)
            try sendDue(&outgoing)
        }
        var limit = min(deadline ?? nextTick, nextTick)
        if !isAccepted || outgoing.dueCount > 0 {
            // What is new now would have to wait anyway.
            outbox.readerIsBusy()
        } else if !outbox.mayReaderSleep(lending: lane(for: outgoing)) {
            limit = Instant(nanoseconds: .min)
        }
        try wait(outbox, until: limit)
    }

    /// What others may use while this thread sleeps; `nil` while something else has to go first.
    private func lane(for outgoing: OutgoingTopics) -> DirectLane? {
        guard canBatch, !isCongested else { return nil }
        if laneTopics.count != outgoing.count { laneTopics = outgoing.laneTopics(of: handle.limits) }
        defer { batch = PublishBatch() }
        return DirectLane(
            socket: handle.socket, longestPacket: handle.limits.longestPacket, topics: laneTopics,
            batch: batch)
    }

    private func takeLaneBack(from outbox: Outbox) {
        guard let lane = outbox.takeLaneBack() else { return }
        batch = lane.batch
        counts.sent += lane.sent
        if batch.isPending { stalledSince = stalledSince ?? SystemClock.now() }
    }

    /// The broker has just accepted: true once.
    func takeAcceptance() -> Bool {
        guard !isAccepted, case .accepted = handle.answer else { return false }
        isAccepted = true
        return true
    }

    /// Since the last call; `nil`: nothing.
    func takeCounts() -> Counts? {
        guard counts != Counts() else { return nil }
        defer { counts = Counts() }
        return counts
    }

    func subscribe(at now: Instant) throws(SessionFault) { try handle.subscribe(at: now) }

    func takeRefusals() -> [BrokerHandle.Refusal] { handle.takeRefusals() }

    /// Goes without a word.
    func leave() { handle.disconnect() }

    /// Sends what is still due, then `farewell`, and goes. True: the broker has acknowledged it before
    /// `deadline`.
    func leave(
        _ outbox: Outbox, _ outgoing: inout OutgoingTopics, farewell: OutgoingTopic, until deadline: Instant
    ) -> Bool {
        guard isAccepted else { return false }
        let limit = min(deadline, SystemClock.now() + Self.farewellLimit)
        do throws(SessionFault) {
            outbox.take(into: &outgoing)
            try sendDue(&outgoing)
            while batch.isPending, SystemClock.now() < limit { try wait(outbox, until: limit) }
            if batch.isPending { return false }
            _ = try handle.publish(farewell)
            while handle.unacknowledgedCount > 0, SystemClock.now() < limit {
                try wait(outbox, until: limit)
            }
        } catch { return false }
        let isAcknowledged = handle.unacknowledgedCount == 0
        handle.disconnect()
        return isAcknowledged
    }
}

// Sending.
extension BrokerConnection {
    /// What was handed on has yet to leave.
    private var isCongested: Bool { batch.isPending || handle.isCongested }

    private func sendDue(_ outgoing: inout OutgoingTopics) throws(SessionFault) {
        guard outgoing.dueCount > 0, !isCongested else { return }
        for index in outgoing.order where outgoing.topics[index].isDue {
            let isBatched = canBatch && outgoing.topics[index].topic.qos == 0
            if !isBatched, try !makeWay() { return }
            let isSent =
                isBatched
                ? outgoing.write(index, into: &batch, of: handle.limits)
                : try handle.publish(outgoing.topics[index])
            if isSent { counts.sent += 1 } else { counts.refused += 1 }
            outgoing.wasSent(at: index)
        }
        try sendBatch()
    }

    /// Before a message through libmosquitto: what came before it is out, and the broker keeps up. False: it
    /// must wait.
    private func makeWay() throws(SessionFault) -> Bool {
        try sendBatch()
        return !isCongested && handle.unacknowledgedCount < Self.mostUnacknowledged
    }

    private func sendBatch() throws(SessionFault) {
        guard batch.isPending else { return }
        try handle.send(&batch)
        stalledSince = batch.isPending ? stalledSince ?? SystemClock.now() : nil
    }

    /// Bytes that nobody acknowledges for so long end the connection, as a cut cable sends no reset.
    private func limitSilence(to limit: Interval) {
        var milliseconds = Int32(clamping: limit.nanoseconds / 1_000_000)
        setsockopt(handle.socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, 4)
    }
}

// Waiting.
extension BrokerConnection {
    private func wait(_ outbox: Outbox, until limit: Instant) throws(SessionFault) {
        var entries = (
            pollfd(fd: handle.socket, events: awaitedEvents, revents: 0),
            pollfd(fd: outbox.wakeup.descriptor.number, events: Int16(POLLIN), revents: 0)
        )
        let ready = withUnsafeMutablePointer(to: &entries) {
            $0.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, limit.pollTimeout) }
        }
        takeLaneBack(from: outbox)
        if ready > 0, entries.1.revents != 0 { outbox.wakeup.clear() }
        if ready > 0, entries.0.revents != 0 { try socketIsReady(Int32(entries.0.revents)) }
        try keepAlive()
    }

    /// In the middle of a batch libmosquitto must not get the chance to answer what it reads.
    private var awaitedEvents: Int16 {
        if batch.isPending { return Int16(POLLOUT) }
        return Int16(!isEstablished || handle.isCongested && isAccepted ? POLLIN | POLLOUT : POLLIN)
    }

    private func socketIsReady(_ events: Int32) throws(SessionFault) {
        if !isEstablished {
            if let error = socketError() { throw .unreachable("\(error)") }
            isEstablished = true
        }
        if batch.isPending { return try sendBatch() }
        if events & ~POLLOUT != 0 || !isAccepted { try handle.read() }
        if handle.isCongested { try handle.write() }
        if events & POLLHUP != 0, handle.answer == nil { throw .closed("") }
    }

    private func socketError() -> Errno? {
        var code: Int32 = 0
        var size = socklen_t(4)
        getsockopt(handle.socket, SOL_SOCKET, SO_ERROR, &code, &size)
        return code == 0 ? nil : Errno(code)
    }

    private func keepAlive() throws(SessionFault) {
        let now = SystemClock.now()
        guard now >= nextTick else { return }
        nextTick = now + tickInterval
        if let stalledSince {
            // Here libmosquitto cannot find it out with a ping.
            if now - stalledSince > keepalive { throw .silent }
        } else {
            try handle.keepAlive()
        }
    }
}
