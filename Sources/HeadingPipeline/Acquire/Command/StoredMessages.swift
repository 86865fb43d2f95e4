/// Which messages that a broker has stored were acted on before. A broker sends what it has stored again at every
/// connect; acting on it again would undo what the operator has changed since.
package struct StoredMessages: Hashable, Sendable {
    /// Fingerprints by topic.
    private(set) var known: [CommandTopic: [UInt64]] = [:]

    /// While it is not known which messages the broker has stored, so many of the last may be the one.
    private static let mostCandidates = 8

    package init() {}

    package func knows(_ payload: [UInt8], of topic: CommandTopic) -> Bool {
        known[topic]?.contains(Self.fingerprint(payload)) ?? false
    }

    /// Takes note of a message that was acted on. `isSurelyStored`: the broker has it, and nothing else.
    package mutating func note(_ payload: [UInt8], of topic: CommandTopic, isSurelyStored: Bool) {
        let fingerprint = Self.fingerprint(payload)
        if isSurelyStored {
            known[topic] = [fingerprint]
        } else {
            let others = (known[topic] ?? []).filter { $0 != fingerprint }
            known[topic] = others.suffix(Self.mostCandidates - 1) + [fingerprint]
        }
    }

    mutating func restore(_ fingerprints: [UInt64], of topic: CommandTopic) {
        known[topic] = Array(fingerprints.suffix(Self.mostCandidates))
    }

    /// 64-bit FNV-1a.
    static func fingerprint(_ payload: [UInt8]) -> UInt64 {
        payload.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
