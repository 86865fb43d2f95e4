/// When to connect to the broker, how long to wait after a failure, and what of it is worth a line in the log.
/// It does nothing itself: events go in with their time, what to do comes out.
package struct SessionPolicy: Sendable {
    package enum Event: Hashable, Sendable {
        /// Time went by; to be sent at `deadline`.
        case tick
        /// The broker accepted the connection (CONNACK).
        case accepted
        /// There is no connection (any more).
        case failed(SessionFault)
    }

    package enum Action: Hashable, Sendable {
        case connect
        /// Drop what there is of a connection; the fault is to be handed back as `failed`.
        case abandon(SessionFault)
        case report(Report)
    }

    /// A line for the log.
    package enum Report: Hashable, Sendable {
        case connected
        case fault(SessionFault, hint: Hint?)
    }

    package enum Hint: Hashable, Sendable {
        /// The broker accepts and soon closes, again and again.
        case sharedClientId
    }

    package enum Phase: Hashable, Sendable {
        case waiting(until: Instant)
        case connecting(since: Instant)
        case connected(since: Instant)
    }

    package private(set) var phase: Phase
    /// What went wrong last; `nil` while all is well.
    package private(set) var fault: SessionFault?

    /// Failures since the last connection that held.
    private var failures = 0
    /// Connections in a row that did not hold.
    private var shortConnections = 0
    private var isSettled = true
    private var isConnectedReported = false
    /// Said since the last connection that held; what repeats is not said again.
    private var reported: Set<Report> = []

    package init(startAt now: Instant) { phase = .waiting(until: now) }

    /// When `tick` is due; `nil`: not before something happens.
    package var deadline: Instant? {
        switch phase {
        case .waiting(let until): until
        case .connecting(let since): since + Self.longestAttempt
        case .connected(let since): isSettled ? nil : since + settlingTime
        }
    }

    /// `random`: 0 to 1, for the jitter that keeps a fleet from coming back all at once.
    package mutating func handle(_ event: Event, at now: Instant, random: Double) -> [Action] {
        switch event {
        case .tick: tick(at: now)
        case .accepted: accepted(at: now)
        case .failed(let fault): failed(fault, at: now, random: random)
        }
    }
}

// The numbers.
extension SessionPolicy {
    /// From the first packet to the broker's answer.
    package static let longestAttempt = Interval.seconds(15)
    package static let longestWait = Interval.seconds(30)
    private static let longestWaitFailures = 6
    private static let jitter = 0.2
    private static let mostReports = 16
    /// After so many connections in a row that did not hold, a shared client id is the likely cause.
    private static let suspiciousShortConnections = 3

    /// How long a connection must hold before the next failure starts afresh at one second. Two agents with
    /// one client id throw each other out at the longest interval, which must not count as holding.
    private var settlingTime: Interval { isSharingSuspected ? .seconds(60) : .seconds(30) }

    private var isSharingSuspected: Bool {
        fault == .takenOver || shortConnections >= Self.suspiciousShortConnections
    }

    /// 1, 2, 4 ... 30 s, +-20 %, never more than 30 s.
    private func wait(random: Double) -> Interval {
        let doubled = Interval.seconds(Double(1 << min(failures, Self.longestWaitFailures)))
        let base = min(doubled, Self.longestWait)
        let least = base * (1 - Self.jitter)
        let most = min(base * (1 + Self.jitter), Self.longestWait)
        return least + (most - least) * random
    }
}

// The events.
extension SessionPolicy {
    private mutating func tick(at now: Instant) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        switch phase {
        case .waiting:
            phase = .connecting(since: now)
            return [.connect]
        case .connecting:
            return [.abandon(.noAnswer)]
        case .connected:
            return settle()
        }
    }

    private mutating func accepted(at now: Instant) -> [Action] {
        phase = .connected(since: now)
        let wasSettled = isSettled
        isSettled = false
        // A connection that follows one that did not hold is worth a line only once it holds.
        guard wasSettled || shortConnections == 0 else { return [] }
        isConnectedReported = true
        return [.report(.connected)]
    }

    private mutating func settle() -> [Action] {
        let report: [Action] = isConnectedReported ? [] : [.report(.connected)]
        isConnectedReported = true
        isSettled = true
        fault = nil
        failures = 0
        shortConnections = 0
        reported.removeAll()
        return report
    }

    private mutating func failed(_ fault: SessionFault, at now: Instant, random: Double) -> [Action] {
        let earliest = waitingStart(at: now)
        isConnectedReported = false
        self.fault = fault
        if fault.needsOperator { failures = Self.longestWaitFailures }
        phase = .waiting(until: max(now, earliest + wait(random: random)))
        failures = min(failures + 1, Self.longestWaitFailures)
        return report(fault)
    }

    /// From the start of an attempt that failed, so that a slow failure does not make the pauses longer; from
    /// the loss of a connection that stood. Takes note of connections that did not hold.
    private mutating func waitingStart(at now: Instant) -> Instant {
        switch phase {
        case .waiting: return now
        case .connecting(let since): return since
        case .connected:
            if isSettled { shortConnections = 0 } else { shortConnections += 1 }
            isSettled = false
            return now
        }
    }

    private mutating func report(_ fault: SessionFault) -> [Action] {
        let isSuspicious = shortConnections >= Self.suspiciousShortConnections
        let report = Report.fault(fault, hint: isSuspicious ? .sharedClientId : nil)
        guard reported.count < Self.mostReports, reported.insert(report).inserted else { return [] }
        return [.report(report)]
    }
}
