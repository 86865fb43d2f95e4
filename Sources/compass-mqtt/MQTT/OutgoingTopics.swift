import HeadingPipeline

/// The session's half of the outbox: the last value of each topic, and which of them are due to be sent.
struct OutgoingTopics {
    private(set) var topics: [OutgoingTopic] = []
    /// Indices in the order of sending.
    private(set) var order: [Int] = []

    /// How many are to be sent.
    private(set) var dueCount = 0

    private let version: Settings.MqttVersion

    init(version: Settings.MqttVersion) { self.version = version }

    var count: Int { topics.count }

    mutating func append(_ topic: OutboundTopic) {
        let stage = topic.stage
        let place = order.firstIndex { topics[$0].topic.stage > stage } ?? order.endIndex
        order.insert(topics.count, at: place)
        topics.append(OutgoingTopic(topic, version: version))
    }

    mutating func exchange(_ payload: inout [UInt8], at index: Int, isLast: Bool) {
        swap(&payload, &topics[index].payload)
        topics[index].isLast = isLast
        topics[index].hasValue = true
        if !topics[index].isDue { dueCount += 1 }
        topics[index].isDue = true
    }

    /// Takes note of a value that has been sent already, for the next connection. What is due stays due.
    mutating func adopt(_ payload: inout [UInt8], at index: Int) {
        swap(&payload, &topics[index].payload)
        topics[index].isLast = false
        topics[index].hasValue = true
    }

    /// What may be sent without the session.
    func laneTopics(of broker: BrokerLimits) -> [DirectLane.Topic] {
        topics.map {
            DirectLane.Topic(
                head: $0.topic.qos == 0 ? $0.head : nil,
                isRetained: $0.topic.isRetained && broker.retainsMessages)
        }
    }

    /// What no broker keeps is of its moment: what has waited for a connection, such as a command, is sent by none.
    mutating func forgetMoments() {
        for index in topics.indices where !topics[index].topic.isRetained {
            topics[index].hasValue = false
            topics[index].isDue = false
        }
        dueCount = topics.count { $0.isDue }
    }

    /// After a connect: every topic that has a value is due, whether it changed or not.
    mutating func makeAllDue() {
        for index in topics.indices { topics[index].isDue = topics[index].hasValue }
        dueCount = topics.count { $0.isDue }
    }

    /// False when the broker takes no packet of that size.
    func write(_ index: Int, into batch: inout PublishBatch, of broker: BrokerLimits) -> Bool {
        batch.append(
            topics[index].head, topics[index].payload,
            retain: topics[index].topic.isRetained && broker.retainsMessages, limit: broker.longestPacket)
    }

    mutating func wasSent(at index: Int) {
        topics[index].isDue = false
        dueCount -= 1
        if topics[index].isLast { topics[index].hasValue = false }
    }
}

/// A topic with its last value, ready to be sent.
struct OutgoingTopic {
    let topic: OutboundTopic
    /// The name, ended by a zero.
    let name: [CChar]
    let properties: MessageProperties?
    let head: [UInt8]
    var payload: [UInt8] = []
    var hasValue = false
    var isDue = false
    /// Once this has been sent, the topic has no value any more.
    var isLast = false

    init(_ topic: OutboundTopic, version: Settings.MqttVersion) {
        self.topic = topic
        head = PublishHead.make(topic, version: version)
        name = topic.name.utf8CString.map { $0 }
        properties = version == .v5 ? topic.expiry.map { MessageProperties(expiry: $0) } : nil
    }
}
