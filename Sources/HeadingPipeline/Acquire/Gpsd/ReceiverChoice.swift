/// Decides whose reports count when gpsd watches more than one receiver. With a device in the settings, only
/// that one's. Without, it stays with the receiver that has a fix, so that the position does not jump between
/// two aerials, and leaves it when it has had none for a while and another has.
package struct ReceiverChoice {
    /// Longer than the gaps between epochs, shorter than the usual time after which the position is stale.
    package static let patience = Interval.seconds(3)

    private let wanted: String?
    private var chosen: Receiver?

    private struct Receiver {
        var device: String?
        var lastFix: Instant
    }

    package init(device: String?) { wanted = device }

    /// Whether the settings ask for reports of this receiver.
    package func isWanted(_ device: String?) -> Bool { wanted == nil || device == wanted }

    /// Whether a fix, or the word that there is none, is the vessel's.
    package mutating func takes(_ fix: GpsFix, at now: Instant) -> Bool {
        guard isWanted(fix.device) else { return false }
        let hasFix = fix.mode != .none && fix.position != nil
        guard let current = chosen else {
            if hasFix { chosen = Receiver(device: fix.device, lastFix: now) }
            return true
        }
        if fix.device == current.device {
            if hasFix { chosen?.lastFix = now }
            return true
        }
        guard hasFix, now - current.lastFix > Self.patience else { return false }
        chosen = Receiver(device: fix.device, lastFix: now)
        return true
    }

    /// Whether a count of satellites is that of the receiver whose fixes are taken.
    package func takes(_ report: SatelliteReport) -> Bool {
        guard isWanted(report.device) else { return false }
        guard let chosen else { return true }
        return report.device == chosen.device
    }
}
