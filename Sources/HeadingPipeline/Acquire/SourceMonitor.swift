/// Says whether a source is online: it is while its last good reading is younger than the stale time. That
/// judgement, not the last value, tells a subscriber what is current.
package struct SourceMonitor: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case online
        case offline(reason: String)
    }

    package private(set) var state = State.offline(reason: "not started")
    package private(set) var description: SensorDescription?
    package private(set) var lastGood: Instant?
    /// Good readings so far.
    package private(set) var accepted: UInt64 = 0
    private let staleAfter: Interval
    /// Why readings are refused at present, for the reason of going offline.
    private var lastRejection: Rejection?

    package init(staleAfter: Interval) { self.staleAfter = staleAfter }

    /// Why a source that has just been opened is offline.
    package static let nothingYet = "no reading yet"

    package var isOnline: Bool { state == .online }

    /// Each of these says whether the source went online or offline by it.
    package mutating func accept(at now: Instant) -> Bool {
        lastGood = now
        accepted += 1
        lastRejection = nil
        guard !isOnline else { return false }
        state = .online
        return true
    }

    package mutating func refuse(_ rejection: Rejection) { lastRejection = rejection }

    /// Says why it is offline, where more is known than that.
    package mutating func explain(_ reason: String) {
        if !isOnline { state = .offline(reason: reason) }
    }

    package mutating func open(_ description: SensorDescription?) {
        self.description = description
        if !isOnline { state = .offline(reason: Self.nothingYet) }
    }

    package mutating func lose(reason: String) -> Bool {
        let wasOnline = isOnline
        lastGood = nil
        state = .offline(reason: reason)
        return wasOnline
    }

    package mutating func check(at now: Instant) -> Bool {
        guard isOnline, let deadline, now >= deadline else { return false }
        let why = lastRejection.map { ": \($0.rawValue)" } ?? ""
        let seconds = decimalText(staleAfter.seconds, places: 1)
        state = .offline(reason: "no good reading for \(seconds) s\(why)")
        return true
    }

    /// When ``check(at:)`` will find it offline unless a reading comes.
    package var deadline: Instant? { isOnline ? lastGood.map { $0 + staleAfter } : nil }
}
