import HeadingPipeline

/// One topic that the agent publishes on.
struct OutboundTopic: Hashable, Sendable {
    /// In this order everything is sent after a connect, so that a subscriber knows of a value what it is and
    /// whether it is current before it gets it.
    enum Stage: Int, Comparable, Sendable {
        case discovery
        /// Whether the agent itself is online.
        case presence
        case status
        case value

        static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
    }

    var name: String
    var stage: Stage
    var qos = 0
    var isRetained = true
    /// How long the broker keeps a message that nothing replaces; MQTT 5 only. `nil`: for ever.
    var expiry: Interval?
}
