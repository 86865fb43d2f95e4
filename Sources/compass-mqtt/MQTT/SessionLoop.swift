import Glibc
import HeadingPipeline

/// What the session's thread does: it lets the policy say when to connect, drives one connection after the
/// other, and tells the session how it stands. It is the only thread that touches a broker handle.
final class SessionLoop {
    private let session: MQTTSession
    private var policy = SessionPolicy(startAt: SystemClock.now())
    private var connection: BrokerConnection?
    private var outgoing: OutgoingTopics
    /// What is left to try of the host's addresses in this attempt.
    private var endpoints: ArraySlice<Endpoint> = []
    /// Addresses that did not answer, one an attempt: the next attempt begins after them.
    private var unanswered = 0
    private var now = SystemClock.now()
    private var told: Set<BrokerHandle.Refusal> = []

    init(_ session: MQTTSession) {
        self.session = session
        outgoing = OutgoingTopics(version: session.settings.version)
    }

    func run() {
        if session.settings.tls.isEnabled, session.settings.tls.isInsecure {
            Log.warning("broker \(place): any certificate is accepted (mqtt.tls_insecure)")
        }
        while session.stopBy == nil {
            now = SystemClock.now()
            if let deadline = policy.deadline, now >= deadline { handle(.tick) }
            if connection == nil { sleep() } else { turn() }
        }
        session.didStop(leave())
    }

    private func sleep() {
        let deadline = policy.deadline ?? now
        session.expectProgress(by: deadline + .seconds(30))
        session.outbox.readerIsBusy()
        session.outbox.wakeup.wait(until: deadline)
    }

    private func turn() {
        guard let connection else { return }
        session.expectProgress(by: now + session.settings.keepalive + .seconds(30))
        do throws(SessionFault) {
            try connection.turn(session.outbox, &outgoing, until: policy.deadline)
            if connection.takeAcceptance() { try greet(connection) }
        } catch {
            lost(error)
        }
        tell(connection.takeRefusals())
        guard let counts = connection.takeCounts() else { return }
        session.update {
            $0.sent += counts.sent
            $0.refused += counts.refused
        }
    }

    private func greet(_ connection: BrokerConnection) throws(SessionFault) {
        session.outbox.take(into: &outgoing)
        outgoing.forgetMoments()
        handle(.accepted)
        unanswered = 0
        try connection.subscribe(at: now)
        // First what others sent while this thread slept: the new connection has not seen it.
        session.outbox.take(into: &outgoing)
        outgoing.makeAllDue()
    }

    private func leave() -> MQTTSession.Farewell {
        guard let connection, let deadline = session.stopBy else { return .notConnected }
        guard let presence = session.presence else {
            connection.leave()
            return .confirmed
        }
        var farewell = OutgoingTopic(presence, version: session.settings.version)
        farewell.payload = Array("offline".utf8)
        let isConfirmed = connection.leave(session.outbox, &outgoing, farewell: farewell, until: deadline)
        return isConfirmed ? .confirmed : .unconfirmed
    }
}

// What the policy wants.
extension SessionLoop {
    private func handle(_ event: SessionPolicy.Event) {
        now = SystemClock.now()
        for action in policy.handle(event, at: now, random: Double.random(in: 0...1)) {
            switch action {
            case .connect: connect()
            case .abandon(let fault):
                unanswered += 1
                endpoints = []
                lost(fault)
            case .report(let report): log(report)
            }
        }
        tell()
    }

    private func connect() {
        // The resolver blocks, and nothing can be done about it here.
        session.expectProgress(by: now + .seconds(120))
        do throws(SessionFault) {
            let all = try Endpoint.all(for: session.settings)
            let first = all.isEmpty ? 0 : unanswered % all.count
            endpoints = all[first...] + all[..<first]
            try connectToNext()
        } catch {
            lost(error)
        }
    }

    private func connectToNext() throws(SessionFault) {
        guard let endpoint = endpoints.popFirst() else {
            throw .unreachable("\(session.settings.host) has no address")
        }
        connection = try BrokerConnection(makeHandle(), to: endpoint, settings: session.settings)
    }

    private func makeHandle() throws(SessionFault) -> BrokerHandle {
        let settings = session.settings
        let tls = settings.tls.isEnabled ? try TLSContext(settings.tls, host: settings.host) : nil
        let handle = try BrokerHandle(
            clientId: session.clientId, version: settings.version, tls: tls,
            dispatch: MessageDispatch(session.subscriptions, version: settings.version))
        if let presence = session.presence { try handle.setWill(topic: presence.name, payload: "offline") }
        try handle.logIn(username: settings.username, passwordFile: settings.passwordFile)
        return handle
    }

    /// There is no connection (any more); another address of the same host may do.
    private func lost(_ fault: SessionFault) {
        connection = nil
        if case .unreachable = fault, !endpoints.isEmpty {
            do throws(SessionFault) { try connectToNext() } catch { lost(error) }
        } else {
            handle(.failed(fault))
        }
    }
}

// What others get to know.
extension SessionLoop {
    private func tell() {
        let fault = policy.fault?.reason
        let phase = policy.phase
        session.update { snapshot in
            snapshot.reason = fault
            switch phase {
            case .waiting: snapshot.enter(.waiting, at: now)
            case .connecting: snapshot.enter(.connecting, at: now)
            case .connected: snapshot.enter(.connected, at: now)
            }
        }
    }

    private func log(_ report: SessionPolicy.Report) {
        switch report {
        case .connected:
            Log.info("broker \(place): connected")
        case .fault(let fault, nil):
            Log.warning("broker \(place): \(fault.reason)")
        case .fault(let fault, .sharedClientId):
            Log.warning(
                "broker \(place): \(fault.reason), again and again soon after connecting: "
                    + "does another client use the id \(session.clientId)?")
        }
    }

    /// Once for each, though it happens at every connect.
    private func tell(_ refusals: [BrokerHandle.Refusal]) {
        for refusal in refusals where told.insert(refusal).inserted {
            let what =
                switch refusal {
                case .listening(let filter): "listen to \(filter)"
                case .publishing(let topic): "publish \(topic)"
                }
            Log.warning("broker \(place): does not let this client \(what)")
        }
    }

    private var place: String {
        if let path = session.settings.socket { return path }
        let tls = session.settings.tls.isEnabled
        return "\(session.settings.host):\(session.settings.port ?? (tls ? 8883 : 1883))"
    }
}
