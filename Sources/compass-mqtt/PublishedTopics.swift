import HeadingPipeline

/// The pipeline's topics and their places in the outbox.
struct PublishedTopics {
    private let outbox: Outbox
    private let slots: [Outbox.Slot]

    init(_ outbox: Outbox, base: String, settings: Settings.Publish) {
        self.outbox = outbox
        slots = Topic.allCases.map { topic in
            outbox.add(
                OutboundTopic(
                    name: "\(base)/\(topic.path)", stage: topic.stage,
                    qos: topic.isValue ? settings.qos : 1, isRetained: !topic.isEvent,
                    // Three missed heartbeats: the value is gone for good.
                    expiry: topic.isValue ? settings.heartbeat * 3 : nil))
        }
    }

    func put(_ topic: Topic, _ payload: [UInt8]) {
        let slot = slots[topic.rawValue]
        if topic.isEvent { outbox.putOnce(slot, payload) } else { outbox.put(slot, payload) }
    }

    func putStatus(of source: Source, isOnline: Bool) {
        outbox.put(slots[Topic.status(of: source).rawValue], isOnline ? "online" : "offline")
    }

    /// An earlier run's value of a quantity that may stay unknown in this one is taken away: no source's status
    /// would tell that it is old.
    func clearUnjudged() {
        for topic in [Topic.headingTrue, .declination, .destination, .steer] {
            outbox.clear(slots[topic.rawValue])
        }
    }

    /// Hands what was put to the session.
    func flush() { outbox.flush() }
}

extension Topic {
    fileprivate var isValue: Bool { !isStatus && !isSetting && !isEvent }

    fileprivate var stage: OutboundTopic.Stage {
        switch self {
        case .status: .presence
        case let topic where topic.isStatus: .status
        default: .value
        }
    }
}
