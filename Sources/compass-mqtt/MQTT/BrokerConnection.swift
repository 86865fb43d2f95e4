import CLinux
import Glibc
import HeadingPipeline

/// One connection to the broker from its first packet to its end: moves bytes when the socket is ready, and
/// messages from the outbox when the broker takes them. Nothing is queued here: what the broker does not take
/// stays in the outbox, where the newest value wins.
final class BrokerConnection {
    private let handle: BrokerHandle
    /// TCP without TLS, where several messages can leave in one segment.
    private let canCork: Bool
    private let tickInterval: Interval
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
        canCork = endpoint.isTCP && !settings.tls.isEnabled
        tickInterval = max(.seconds(1), settings.keepalive * 0.1)
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
        } else if !outbox.mayReaderSleep() {
            limit = Instant(nanoseconds: .min)
        }
        try wait(outbox.wakeup, until: limit)
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

    func subscribe(to topics: [String]) throws(SessionFault) {
        for topic in topics { try handle.subscribe(to: topic) }
    }

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
            _ = try handle.publish(farewell)
            while handle.unacknowledgedCount > 0, SystemClock.now() < limit {
                try wait(outbox.wakeup, until: limit)
            }
        } catch { return false }
        let isAcknowledged = handle.unacknowledgedCount == 0
        handle.disconnect()
        return isAcknowledged
    }
}

// Sending.
extension BrokerConnection {
    private func sendDue(_ outgoing: inout OutgoingTopics) throws(SessionFault) {
        guard outgoing.dueCount > 0, !handle.isCongested else { return }
        let corks = canCork && outgoing.dueCount > 1
        if corks { setCork(true) }
        defer { if corks { setCork(false) } }
        for index in outgoing.order where outgoing.topics[index].isDue {
            let needsAnswer = outgoing.topics[index].topic.qos > 0
            if needsAnswer, handle.unacknowledgedCount >= Self.mostUnacknowledged { return }
            if try handle.publish(outgoing.topics[index]) { counts.sent += 1 } else { counts.refused += 1 }
            outgoing.wasSent(at: index)
            if handle.isCongested { return }
        }
    }

    /// While corked, the kernel puts the messages of a batch into as few segments as they fit.
    private func setCork(_ isCorked: Bool) {
        var value: Int32 = isCorked ? 1 : 0
        setsockopt(handle.socket, Int32(IPPROTO_TCP), TCP_CORK, &value, 4)
    }

    /// Bytes that nobody acknowledges for so long end the connection, as a cut cable sends no reset.
    private func limitSilence(to limit: Interval) {
        var milliseconds = Int32(clamping: limit.nanoseconds / 1_000_000)
        setsockopt(handle.socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, 4)
    }
}

// Waiting.
extension BrokerConnection {
    private func wait(_ wakeup: borrowing Wakeup, until limit: Instant) throws(SessionFault) {
        let wantsWrite = isAccepted ? handle.isCongested : !isEstablished
        var entries = (
            pollfd(fd: handle.socket, events: Int16(wantsWrite ? POLLIN | POLLOUT : POLLIN), revents: 0),
            pollfd(fd: wakeup.descriptor.number, events: Int16(POLLIN), revents: 0)
        )
        let ready = withUnsafeMutablePointer(to: &entries) {
            $0.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, limit.pollTimeout) }
        }
        if ready > 0, entries.1.revents != 0 { wakeup.clear() }
        if ready > 0, entries.0.revents != 0 { try socketIsReady(Int32(entries.0.revents)) }
        try keepAlive()
    }

    private func socketIsReady(_ events: Int32) throws(SessionFault) {
        if !isEstablished {
            if let error = socketError() { throw .unreachable("\(error)") }
            isEstablished = true
        }
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
        try handle.keepAlive()
    }
}
