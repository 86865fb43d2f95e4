/// What is known of each vessel: the newest payload of each topic, numbered by when it came. A viewer remembers
/// the number up to which it has seen everything, so that a slow one costs no memory and gets the newest.
///
/// Whatever the broker sends, its size is bounded.
package struct TopicStore: Sendable {
    package struct Entry: Sendable {
        /// Counts up with every change of anything.
        package var sequence: UInt64
        package var receivedAt: Instant
        /// The broker had kept it from earlier: how old it is, only the payload can tell.
        package var isStored: Bool
        /// `nil`: the topic was taken away.
        package var payload: [UInt8]?
        /// The event without its end, for all viewers.
        package var event: [UInt8]
    }

    package struct Vessel: Sendable {
        package let base: String
        fileprivate(set) package var entries: [ShownTopic: Entry] = [:]
        /// The last change.
        fileprivate(set) package var sequence: UInt64 = 0
        package var isOnline: Bool { payload(of: .status) == Array("online".utf8) }

        package func payload(of topic: ShownTopic) -> [UInt8]? { entries[topic]?.payload }

        /// Its agent counts them in the diagnostics.
        package var takesCommands: Bool {
            var answer = false
            payload(of: .diagnostics)?.withUnsafeBytes { bytes in
                _ = JSONObject.forEach(in: bytes) { answer = $0.hasObject("commands") }
            }
            return answer
        }

        /// There is something to show.
        fileprivate var isKnown: Bool { entries.values.contains { $0.payload != nil } }

        /// When anything of it was last told.
        fileprivate var lastHeard: Instant? { entries.values.lazy.map(\.receivedAt).max() }
    }

    package static let mostVessels = 32
    package static let longestBase = 200
    package static let longestPayload = 8192

    private let filters: [VesselFilter]
    private var vessels: [String: Vessel] = [:]
    /// The last change of anything.
    package private(set) var sequence: UInt64 = 0
    /// The last change of the list of vessels, or of who is online.
    package private(set) var listSequence: UInt64 = 0
    /// Messages that were not kept: too large, or of one vessel too many that is online.
    package private(set) var refused = 0

    package init(filters: [VesselFilter]) { self.filters = filters }

    package subscript(base: String) -> Vessel? { vessels[base].flatMap { $0.isKnown ? $0 : nil } }

    /// Also when everything of it has been taken away, which its viewers have to be told.
    package func vessel(_ base: String) -> Vessel? { vessels[base] }

    /// By name.
    package var list: [Vessel] { vessels.values.filter(\.isKnown).sorted { $0.base < $1.base } }

    /// The one to show to whoever has not chosen: the first that is online.
    package var first: Vessel? { list.first(where: \.isOnline) ?? list.first }
}

// What the broker sends.
extension TopicStore {
    /// True: it changed something that a viewer sees.
    package mutating func take(_ name: String, _ payload: [UInt8], isStored: Bool, at now: Instant) -> Bool {
        guard let (base, path) = split(name), let topic = ShownTopic(rawValue: path) else { return false }
        // What was never known need not be taken away.
        if payload.isEmpty, vessels[base] == nil { return false }
        guard payload.count <= Self.longestPayload, base.utf8.count <= Self.longestBase,
            vessels[base] != nil || makeRoom()
        else {
            refused += 1
            return false
        }
        let before = self[base].map(\.isOnline)
        put(payload.isEmpty ? nil : payload, on: topic, of: base, isStored: isStored, at: now)
        if self[base].map(\.isOnline) != before { listSequence = sequence }
        return true
    }

    /// Takes away what a broker that has been connected again has not sent: nobody keeps it any more.
    package mutating func forget(olderThan connect: Instant) {
        for vessel in vessels.values {
            for (topic, entry) in vessel.entries where entry.receivedAt < connect && entry.payload != nil {
                put(nil, on: topic, of: vessel.base, isStored: false, at: connect)
                listSequence = sequence
            }
        }
    }

    /// Forgets a vessel of which nothing is kept any more, else the one that has been silent longest of those
    /// that are not online. False: all are online.
    private mutating func makeRoom() -> Bool {
        guard vessels.count >= Self.mostVessels else { return true }
        let candidates = vessels.values.filter { !$0.isKnown || !$0.isOnline }
        let earliest = Instant(nanoseconds: .min)
        let leaving = candidates.min {
            ($0.isKnown ? 1 : 0, $0.lastHeard ?? earliest) < ($1.isKnown ? 1 : 0, $1.lastHeard ?? earliest)
        }
        guard let leaving else { return false }
        vessels[leaving.base] = nil
        sequence += 1
        listSequence = sequence
        return true
    }

    private func split(_ topic: String) -> (base: String, path: String)? {
        for filter in filters {
            if let parts = filter.split(topic) { return parts }
        }
        return nil
    }

    private mutating func put(
        _ payload: [UInt8]?, on topic: ShownTopic, of base: String, isStored: Bool, at now: Instant
    ) {
        sequence += 1
        vessels[base, default: Vessel(base: base)].entries[topic] = Entry(
            sequence: sequence, receivedAt: now, isStored: isStored, payload: payload,
            event: EventText.topic(topic, payload, isStored: isStored))
        vessels[base]?.sequence = sequence
    }
}
