/// What the session listens to: asked for on every connect, before anything is published.
struct Subscription: Sendable {
    /// Called on the session's thread. Returns at once; what it has to say goes through the outbox.
    typealias Receiver = @Sendable (IncomingMessage) -> Void

    /// A topic, or a filter with `+` and `#`.
    let filter: String
    let qos: Int
    /// With MQTT 5: whether the broker keeps a message is told of live ones, too. Where it is not asked for, a message is
    /// marked as retained exactly when it had lain at the broker (section 3.3.1.3).
    let tellsRetained: Bool
    let receive: Receiver

    init(_ filter: String, qos: Int = 1, tellsRetained: Bool = false, receive: @escaping Receiver) {
        self.filter = filter
        self.qos = qos
        self.tellsRetained = tellsRetained
        self.receive = receive
    }
}

/// A message from the broker.
struct IncomingMessage: Hashable, Sendable {
    var topic: String
    /// What is longer than ``longestPayload`` is cut off one byte after it, and known by that.
    var payload: [UInt8]
    /// The broker keeps it for those who come later. Known of stored ones only, unless ``Subscription/tellsRetained``.
    var isRetained: Bool
    /// It lay at the broker when the session subscribed, and may be old.
    var isStored: Bool
    /// It is taken for stored, but came so long after the subscription that it may have been published then.
    var isLate = false

    static let longestPayload = 65_536
    var isTooLong: Bool { payload.count > Self.longestPayload }
}
