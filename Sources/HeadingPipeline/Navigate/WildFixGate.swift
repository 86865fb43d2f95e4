/// Drops a fix that the vessel cannot have reached, unless three in a row agree that it has: then the receiver
/// was wrong before.
struct WildFixGate: Sendable {
    /// Faster than any boat or robot; a faster vessel tells so by its own speed.
    private static let fastest = Speed.metersPerSecond(100)
    private static let believedAfter = 3

    struct Place: Sendable {
        var earthFixedMeters: Vector3
        /// Radius of the 95 % circle.
        var accuracy: Length
        /// The receiver's own.
        var speed: Speed?
        /// On the axis of `FixClock`.
        var moment: Instant
    }

    enum Verdict { case near, wild, relocated }

    private var believed: Place?
    private var suspect: Place?
    private var suspects = 0

    mutating func judge(_ place: Place) -> Verdict {
        guard let last = believed, !Self.isWithinReach(place, of: last) else {
            believe(place)
            return .near
        }
        guard let previous = suspect, Self.isWithinReach(place, of: previous) else {
            suspect = place
            suspects = 1
            return .wild
        }
        // Several reports of one epoch are one witness.
        if place.moment > previous.moment { suspects += 1 }
        suspect = place
        guard suspects >= Self.believedAfter else { return .wild }
        believe(place)
        return .relocated
    }

    private mutating func believe(_ place: Place) {
        believed = place
        suspect = nil
        suspects = 0
    }

    private static func isWithinReach(_ place: Place, of last: Place) -> Bool {
        let distance = (place.earthFixedMeters - last.earthFixedMeters).length
        let speed = max(fastest, (last.speed ?? .zero) * 2)
        let reach = speed.metersPerSecond * (place.moment - last.moment).seconds
        return distance <= reach + 2 * (place.accuracy + last.accuracy).meters
    }
}
