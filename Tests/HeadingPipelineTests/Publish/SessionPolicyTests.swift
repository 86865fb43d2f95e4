import HeadingPipeline
import Testing

@Suite("SessionPolicy")
struct SessionPolicyTests {
    /// A broker that behaves as told, on a clock of its own.
    struct Simulation {
        var policy = SessionPolicy(startAt: Instant(nanoseconds: 0))
        var now = Instant(nanoseconds: 0)
        var connects: [Double] = []
        var reports: [SessionPolicy.Report] = []
        var random: Double

        init(random: Double = 0.5) { self.random = random }

        mutating func feed(_ event: SessionPolicy.Event) {
            for action in policy.handle(event, at: now, random: random) {
                switch action {
                case .connect: connects.append(now.seconds)
                case .abandon(let fault): feed(.failed(fault))
                case .report(let report): reports.append(report)
                }
            }
        }

        /// Lets time go by; each attempt meets `outcome`.
        mutating func run(until end: Double, _ outcome: (inout Simulation) -> Void) {
            while let deadline = policy.deadline, deadline.seconds <= end {
                now = deadline
                let before = connects.count
                feed(.tick)
                if connects.count > before { outcome(&self) }
            }
            now = Instant(nanoseconds: Int64(end * 1e9))
        }

        mutating func pass(_ seconds: Double) { now = now + .seconds(seconds) }
    }

    @Test("with the broker down the pauses are 1, 2, 4, 8, 16 and then 30 seconds, +-20 %, never over 30")
    func backOff() {
        for (random, factor, longest) in [(0.0, 0.8, 24.0), (1.0, 1.2, 30.0)] {
            var simulation = Simulation(random: random)
            simulation.run(until: 200) { $0.feed(.failed(.unreachable("Connection refused"))) }
            let pauses = zip(simulation.connects, simulation.connects.dropFirst()).map { $1 - $0 }
            let expected = [1, 2, 4, 8, 16].map { $0 * factor } + [longest, longest]
            for (pause, wanted) in zip(pauses, expected) { #expect(abs(pause - wanted) < 1e-6) }
            #expect(simulation.reports == [.fault(.unreachable("Connection refused"), hint: nil)])
        }
    }

    @Test("after ten minutes without a broker it is back within 31 seconds", arguments: [0.0, 0.3, 1.0])
    func backAfterTenMinutes(random: Double) {
        var simulation = Simulation(random: random)
        simulation.run(until: 600) { $0.feed(.failed(.unreachable("No route to host"))) }
        let last = simulation.connects.count
        simulation.run(until: 631) { $0.feed(.accepted) }
        #expect(simulation.connects.count == last + 1)
        #expect(simulation.reports.last == .connected)
    }

    @Test("a slow failure does not make the pauses longer")
    func slowFailure() {
        var simulation = Simulation()
        simulation.run(until: 300) { simulation in
            simulation.pass(10)
            simulation.feed(.failed(.unreachable("Connection timed out")))
        }
        let pauses = zip(simulation.connects, simulation.connects.dropFirst()).map { $1 - $0 }
        #expect(pauses.max() ?? 0 <= 30)
        #expect(pauses.prefix(3).allSatisfy { abs($0 - 10) < 1e-6 })
    }

    @Test(
        "a broker that accepts and closes after 50 ms sees at most 8 connects in a minute",
        arguments: [0, 1.0])
    func acceptAndClose(random: Double) {
        for accepts in [true, false] {
            var simulation = Simulation(random: random)
            simulation.run(until: 60) { simulation in
                simulation.pass(0.05)
                if accepts { simulation.feed(.accepted) }
                simulation.feed(.failed(.closed("")))
            }
            #expect(simulation.connects.count <= 8)
            #expect(simulation.connects.count >= 5)
            // The first success, the loss, the suspicion: never a line for each.
            #expect(simulation.reports.count <= 3)
        }
    }

    @Test("only 30 seconds of connection make the pauses short again", arguments: [(29.0, 8.0), (31.0, 1.0)])
    func startsAfresh(held: Double, pause: Double) {
        var simulation = Simulation()
        simulation.run(until: 10) { $0.feed(.failed(.unreachable("Connection refused"))) }
        #expect(simulation.connects.count == 4)
        simulation.run(until: 15.1) { $0.feed(.accepted) }
        let connected = simulation.connects[4]
        simulation.run(until: connected + held) { _ in Issue.record("connects while connected") }
        simulation.feed(.failed(.silent))
        simulation.run(until: connected + held + 40) { $0.feed(.accepted) }
        // Four failures before: 16 s are next if the connection did not count.
        let expected = held < 30 ? 16.0 : pause
        #expect(abs(simulation.connects[5] - (connected + held) - expected) < 1e-6)
    }

    @Test(
        "what only a person can mend is tried at the longest interval, for ever, with one line",
        arguments: [
            SessionFault.unauthorized("not authorised"), .certificate("expired"), .settings("no such file"),
            .refused("banned"),
        ])
    func needsOperator(fault: SessionFault) {
        var simulation = Simulation(random: 0)
        simulation.run(until: 86400) { $0.feed(.failed(fault)) }
        #expect(simulation.connects.count == 86400 / 24 + 1)
        #expect(simulation.reports == [.fault(fault, hint: nil)])
        simulation.run(until: 86430) { $0.feed(.accepted) }
        #expect(simulation.reports.last == .connected)
    }

    @Test("an attempt that nobody answers is given up after 15 seconds")
    func noAnswer() {
        var simulation = Simulation()
        simulation.run(until: 14.9) { _ in }
        #expect(simulation.reports == [])
        simulation.run(until: 15.1) { _ in }
        #expect(simulation.reports == [.fault(.noAnswer, hint: nil)])
        #expect(simulation.connects.map { $0.rounded() } == [0, 15])
    }
}

@Suite("Two agents with one client id")
struct SharedClientIdTests {
    /// Both connect to a broker that throws out the one that was there, for an hour.
    private func fight(_ fault: SessionFault, randoms: [Double]) -> [SessionPolicyTests.Simulation] {
        var agents = randoms.map { SessionPolicyTests.Simulation(random: $0) }
        agents[1].policy = SessionPolicy(startAt: Instant(nanoseconds: 500_000_000))
        var connected: Int?
        while true {
            let deadlines = agents.map { $0.policy.deadline?.seconds ?? .infinity }
            let turn = deadlines[0] <= deadlines[1] ? 0 : 1
            if deadlines[turn] > 3600 { return agents }
            for index in 0...1 { agents[index].now = Instant(nanoseconds: Int64(deadlines[turn] * 1e9)) }
            let before = agents[turn].connects.count
            agents[turn].feed(.tick)
            if agents[turn].connects.count == before { continue }
            if let connected { agents[connected].feed(.failed(fault)) }
            agents[turn].feed(.accepted)
            connected = turn
        }
    }

    @Test("MQTT 5 says so: both back off at once, one line each", arguments: [[0.1, 0.2], [1, 0], [1, 1]])
    func takenOver(randoms: [Double]) {
        for agent in fight(.takenOver, randoms: randoms) {
            #expect(agent.connects.count <= 3600 / 24 + 2)
            #expect(agent.reports.filter { $0 == .fault(.takenOver, hint: nil) }.count == 1)
            #expect(agent.reports.count <= 3)
        }
    }

    @Test(
        "MQTT 3.1.1 only closes: it is suspected after three short connections",
        arguments: [[0.1, 0.2], [1, 0]])
    func onlyClosed(randoms: [Double]) {
        for agent in fight(.closed(""), randoms: randoms) {
            #expect(agent.connects.count <= 3600 / 24 + 8)
            #expect(agent.reports.contains(.fault(.closed(""), hint: .sharedClientId)))
            #expect(agent.reports.count <= 4)
        }
    }
}

@Suite("SessionFault")
struct SessionFaultTests {
    // MQTT 5.0, sections 3.2.2.2 and 3.14.2.1; MQTT 3.1.1, table 3.1.
    @Test(
        "knows whether trying again soon is of use",
        arguments: [
            (0x84, true), (0x85, true), (0x86, true), (0x87, true), (0x88, false), (0x89, false),
            (0x8A, true),
            (0x8B, false), (0x8D, false), (0x8E, true), (0x93, false), (0x98, false), (0xFF, false),
        ])
    func reasonCodes(code: Int, needsOperator: Bool) {
        #expect(SessionFault(reasonCode: code).needsOperator == needsOperator)
    }

    @Test(
        "reads the return codes of MQTT 3.1.1",
        arguments: [(1, true), (2, true), (3, false), (4, true), (5, true)])
    func returnCodes(code: Int, needsOperator: Bool) {
        #expect(SessionFault(returnCode: code).needsOperator == needsOperator)
    }

    @Test("tells the broker's complaint about the agent's certificate from any other failure of TLS")
    func complaints() {
        let refused = SessionFault(
            complaint: "OpenSSL Error[0]: error:0A00045C:SSL routines::tlsv13 alert certificate required")
        #expect(refused == .unauthorized("TLS tlsv13 alert certificate required (mqtt.tls_cert)"))
        let noTLS = SessionFault(
            complaint: "OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number")
        #expect(noTLS == .closed("TLS: wrong version number"))
        #expect(SessionFault(complaint: "Error: out of luck") == .closed("Error: out of luck"))
    }

    @Test("0x8E is another client with the same id")
    func takenOver() { #expect(SessionFault(reasonCode: 0x8E) == .takenOver) }
}

extension Instant {
    fileprivate var seconds: Double { (self - Instant(nanoseconds: 0)).seconds }
}
