/// Slows down whoever guesses the token: so many wrong ones at once, then one in a while, for each address. Whom it
/// has locked out is not listened to at all, right or wrong.
package struct GuessLimiter<Address: Hashable & Sendable>: Sendable {
    private struct Record {
        /// Wrong guesses, less what time has forgiven.
        var guesses: Double
        var at: Instant
    }

    private let mostGuesses = 10.0
    private let forgivenAfter = Interval.seconds(6)
    private let mostAddresses = 256

    private var records: [Address: Record] = [:]

    package init() {}

    package func isLockedOut(_ address: Address, at now: Instant) -> Bool {
        guesses(of: address, at: now) > mostGuesses - 1
    }

    package mutating func wrongGuess(from address: Address, at now: Instant) {
        if records[address] == nil, records.count >= mostAddresses { makeRoom(at: now) }
        records[address] = Record(guesses: guesses(of: address, at: now) + 1, at: now)
    }

    private func guesses(of address: Address, at now: Instant) -> Double {
        guard let record = records[address] else { return 0 }
        return max(0, record.guesses - (now - record.at).seconds / forgivenAfter.seconds)
    }

    /// Forgets the address with the least against it.
    private mutating func makeRoom(at now: Instant) {
        let least = records.keys.min { guesses(of: $0, at: now) < guesses(of: $1, at: now) }
        if let least { records[least] = nil }
    }
}
