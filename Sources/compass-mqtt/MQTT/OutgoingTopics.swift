import HeadingPipeline

/// The session's half of the outbox: the last value of each topic, and which of them are due to be sent.
struct OutgoingTopics {
    private(set) var topics: [OutgoingTopic] = []
    /// Indices in the order of sending.
    private(set) var order: [Int] = []

    /// How many are to be sent.
    private(set) var dueCount = 0

    var count: Int { topics.count }

    mutating func append(_ topic: OutboundTopic) {
        let stage = topic.stage
        let place = order.firstIndex { topics[$0].topic.stage > stage } ?? order.endIndex
        order.insert(topics.count, at: place)
        topics.append(OutgoingTopic(topic))
    }

    mutating func exchange(_ payload: inout [UInt8], at index: Int, isLast: Bool) {
        swap(&payload, &topics[index].payload)
        topics[index].isLast = isLast
        topics[index].hasValue = true
        if !topics[index].isDue { dueCount += 1 }
        topics[index].isDue = true
    }

    /// After a connect: every topic that has a value is due, whether it changed or not.
    mutating func makeAllDue() {
        for index in topics.indices { topics[index].isDue = topics[index].hasValue }
        dueCount = topics.count { $0.isDue }
    }

    mutating func wasSent(at index: Int) {
        topics[index].isDue = false
        dueCount -= 1
        if topics[index].isLast { topics[index].hasValue = false }
    }
}

/// A topic with its last value, ready to be handed to libmosquitto.
struct OutgoingTopic {
    let topic: OutboundTopic
    /// The name, ended by a zero.
    let name: [CChar]
    let properties: MessageProperties?
    var payload: [UInt8] = []
    var hasValue = false
    var isDue = false
    /// Once this has been sent, the topic has no value any more.
    var isLast = false

    init(_ topic: OutboundTopic) {
        self.topic = topic
        name = topic.name.utf8CString.map { $0 }
        properties = topic.expiry.map { MessageProperties(expiry: $0) }
    }
}
