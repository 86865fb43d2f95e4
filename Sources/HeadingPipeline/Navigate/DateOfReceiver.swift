/// Puts right the date of a receiver whose week counter ran over, or was taken for one that did.
///
/// GPS counts weeks modulo 1024, so the date of an old receiver, or of an old gpsd, can be wrong by whole
/// epochs of 1024 weeks, in both directions. Of the dates that it can mean exactly one lies in the 1024
/// weeks from ``earliest`` on. The wall clock has no say, so that a step of it never moves a fix.
package struct DateOfReceiver: Sendable {
    package let earliest: UTCTime

    /// A date up to two years before the build is believed: a recording from before an upgrade.
    package init(buildDate: UTCTime) {
        earliest = buildDate + .seconds(-104 * Self.weekSeconds)
    }

    private static let weekSeconds = 604_800.0
    private static let epochSeconds: Int64 = 1024 * 604_800

    /// The date that is meant, and how many epochs had to be added.
    package func corrected(_ time: UTCTime) -> (time: UTCTime, epochsAdded: Int) {
        let behind = earliest.wholeSeconds - time.wholeSeconds
        let quotient = behind / Self.epochSeconds
        let epochs = behind > quotient * Self.epochSeconds ? quotient + 1 : quotient
        // For dates centuries away the shift alone does not fit into 64 bits; its sum with the time does.
        let shift = (epochs * Self.epochSeconds) &* 1_000_000_000
        return (UTCTime(nanoseconds: time.nanoseconds &+ shift), Int(epochs))
    }
}

extension UTCTime {
    /// In seconds, the span between any two times fits into 64 bits; in nanoseconds it does not.
    fileprivate var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }
}
