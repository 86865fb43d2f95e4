import HeadingPipeline

/// The dashboard's connection to the broker: a subscriber like any other, with a name of its own and no last will.
final class BrokerLink {
    let topics: SharedTopics
    let session: MQTTSession
    private let outbox: Outbox
    private(set) var surroundings = ViewerFeed.Surroundings()
    private var connects = 0
    /// When to take away what a new connection has not brought again.
    private var sweep: (at: Instant, connect: Instant)?

    /// What a broken connection keeps back of a command is at most so old when it goes out after all.
    private static let longestKeepalive = Interval.seconds(10)
    /// For the broker to send what it keeps.
    private static let sweepAfter = Interval.seconds(3)

    init(_ settings: Settings) throws(Errno) {
        let filters = Self.filters(settings)
        let topics = try SharedTopics(filters: filters)
        let outbox = try Outbox()
        var mqtt = settings.mqtt
        mqtt.keepalive = min(mqtt.keepalive, Self.longestKeepalive)
        session = try MQTTSession(
            settings: mqtt, clientId: Self.clientId(settings),
            statusTopic: nil, outbox: outbox,
            subscriptions: filters.map { filter in
                Subscription(filter.subscription) { topics.take($0) }
            })
        self.topics = topics
        self.outbox = outbox
    }

    /// A name for this run, as two dashboards with one config would throw each other out by turns.
    private static func clientId(_ settings: Settings) -> String {
        let agent = settings.mqtt.clientId ?? "compass-\(AgentIdentity.id(configured: settings.agent.id))"
        return "\(agent)-dashboard-\(String(UInt32.random(in: .min ... .max), radix: 36))"
    }

    /// What the settings name, and this machine's own agent.
    private static func filters(_ settings: Settings) -> [VesselFilter] {
        let own = settings.publish.baseTopic.map { [$0] } ?? []
        return (own + settings.dashboard.topics).map(VesselFilter.init)
    }

    /// How the broker stands.
    func look(at now: Instant) {
        let snapshot = session.snapshot
        let isConnected = snapshot.state == .connected
        surroundings = ViewerFeed.Surroundings(
            isConnected: isConnected, reason: isConnected ? nil : snapshot.reason)
        if snapshot.connects != connects {
            connects = snapshot.connects
            sweep = (snapshot.since + Self.sweepAfter, snapshot.since)
        }
        guard isConnected, let sweep, now >= sweep.at else { return }
        self.sweep = nil
        topics.forget(olderThan: sweep.connect)
    }

    func send(_ command: VesselCommand, in store: TopicStore) -> DashboardRoutes.CommandOutcome {
        guard session.snapshot.state == .connected else { return .noBroker }
        guard let vessel = store[command.base], vessel.takesCommands else { return .notTaken }
        let topic = OutboundTopic(
            name: "\(command.base)/\(command.path)", stage: .value, qos: 1, isRetained: false,
            expiry: .seconds(10))
        outbox.putOnce(outbox.add(topic), command.payload)
        outbox.flush()
        return .sent
    }
}
