/// What one viewer has seen, and what it gets next.
package struct ViewerFeed: Sendable {
    /// What a viewer is told besides the topics.
    package struct Surroundings: Hashable, Sendable {
        /// Whether the broker is there.
        package var isConnected = false
        /// Why it is not, in words.
        package var reason: String?

        package init(isConnected: Bool = false, reason: String? = nil) {
            self.isConnected = isConnected
            self.reason = reason
        }
    }

    /// The vessel that the viewer asked for, or that was chosen for it.
    package private(set) var base: String?
    private var seen: UInt64 = 0
    private var seenList: UInt64?
    private var seenSurroundings: Surroundings?
    private var isWelcomed = false
    private var lastSign: Instant?

    /// A viewer that hears nothing for so long takes the stream for dead after another such time.
    package static let signInterval = Interval.seconds(5)

    package init(base: String?) { self.base = base }

    package func hasNews(_ store: TopicStore, _ surroundings: Surroundings, at now: Instant) -> Bool {
        if !isWelcomed || seenSurroundings != surroundings || seenList != store.listSequence { return true }
        if let lastSign, now - lastSign >= Self.signInterval { return true }
        guard let base, let vessel = store.vessel(base) else { return base == nil && store.first != nil }
        return vessel.sequence > seen
    }

    /// Appends everything that is new.
    /// - Parameters:
    ///   - welcome: the JSON that a viewer gets first.
    ///   - wallTime: of the dashboard, against which the age of a payload can be told.
    package mutating func append(
        to bytes: inout [UInt8], _ store: TopicStore, _ surroundings: Surroundings, welcome: [UInt8],
        at now: Instant, wallTime: UTCTime
    ) {
        if !isWelcomed {
            bytes += EventText.retry
            bytes.appendEvent("welcome", welcome)
            isWelcomed = true
        }
        if lastSign.map({ now - $0 >= Self.signInterval }) ?? true {
            var data: [UInt8] = [0x22]
            data.appendRFC3339(wallTime)
            data.append(0x22)
            bytes.appendEvent("sign", data)
            lastSign = now
        }
        if seenSurroundings != surroundings { append(surroundings, to: &bytes) }
        if seenList != store.listSequence { appendList(of: store, to: &bytes) }
        appendTopics(of: store, to: &bytes, at: now)
    }

    private mutating func append(_ surroundings: Surroundings, to bytes: inout [UInt8]) {
        var data = Array("{\"connected\":".utf8)
        data.append(surroundings.isConnected ? "true" : "false")
        data.append(",\"reason\":")
        if let reason = surroundings.reason { data.appendJSONString(reason) } else { data.append("null") }
        data.append("}")
        bytes.appendEvent("broker", data)
        seenSurroundings = surroundings
    }

    private mutating func appendList(of store: TopicStore, to bytes: inout [UInt8]) {
        var data = Array("[".utf8)
        for vessel in store.list {
            if data.count > 1 { data.append(",") }
            data.append("{\"base\":")
            data.appendJSONString(vessel.base)
            data.append(vessel.isOnline ? ",\"online\":true}" : ",\"online\":false}")
        }
        data.append("]")
        bytes.appendEvent("vessels", data)
        seenList = store.listSequence
    }

    private mutating func appendTopics(of store: TopicStore, to bytes: inout [UInt8], at now: Instant) {
        if base == nil, let first = store.first {
            base = first.base
            seen = 0
        }
        guard let base, let vessel = store.vessel(base) else { return }
        if seen == 0 {
            var name: [UInt8] = []
            name.appendJSONString(base)
            bytes.appendEvent("vessel", name)
        }
        let isNew = seen == 0
        for topic in ShownTopic.allCases {
            guard let entry = vessel.entries[topic], entry.sequence > seen else { continue }
            if entry.payload != nil || !isNew { bytes.appendEvent(entry, at: now) }
        }
        seen = vessel.sequence
    }
}
