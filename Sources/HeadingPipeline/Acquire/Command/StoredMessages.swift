/// Which messages that a broker has stored were acted on before. A broker sends what it has stored again at every
/// connect; acting on it again would undo what the operator has changed since.
package struct StoredMessages: Hashable, Sendable {
    /// Fingerprints of one topic's messages.
    struct Known: Hashable, Sendable {
        /// What the broker had stored when it last could be told.
        var stored: UInt64?
        /// Later ones, any of which may have taken its place.
        var candidates: [UInt64] = []
    }

    private(set) var known: [CommandTopic: Known] = [:]

    /// While it is not known which messages the broker has stored, so many of the last may be the one.
    private static let mostCandidates = 8

    package init() {}

    package func knows(_ payload: [UInt8], of topic: CommandTopic) -> Bool {
        guard let known = known[topic] else { return false }
        let fingerprint = Self.fingerprint(payload)
        return known.stored == fingerprint || known.candidates.contains(fingerprint)
    }

    /// Takes note of a message that was acted on. `isSurelyStored`: the broker has it, and nothing else.
    package mutating func note(_ payload: [UInt8], of topic: CommandTopic, isSurelyStored: Bool) {
        let fingerprint = Self.fingerprint(payload)
        if isSurelyStored {
            known[topic] = Known(stored: fingerprint)
        } else {
            restore([fingerprint], of: topic)
        }
    }

    mutating func restore(_ fingerprints: [UInt64], of topic: CommandTopic) {
        let others = (known[topic]?.candidates ?? []).filter { !fingerprints.contains($0) }
        known[topic, default: Known()].candidates = (others + fingerprints).suffix(Self.mostCandidates)
    }

    mutating func restore(stored fingerprint: UInt64, of topic: CommandTopic) {
        known[topic, default: Known()].stored = fingerprint
    }

    /// 64-bit FNV-1a.
    static func fingerprint(_ payload: [UInt8]) -> UInt64 {
        payload.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
