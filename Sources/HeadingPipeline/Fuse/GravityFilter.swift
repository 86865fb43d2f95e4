import Glibc

/// Follows the specific force to tell the vertical, and how far it can be trusted: acceleration other than
/// gravity shows as a length other than g.
package struct GravityFilter: Hashable, Sendable {
    /// Long enough for an engine's shaking, short enough to roll with the vessel.
    package static let timeConstant = Interval.seconds(0.1)
    /// How well a resting accelerometer of this class knows the vertical, 1 sigma.
    package static let atRest = Angle.degrees(0.5)
    /// After such a gap the filter starts afresh.
    private static let longestGap = Interval.seconds(1)
    /// Seconds over which acceleration other than gravity is remembered.
    private static let disturbanceMemory = 2.0

    private var specificForce: Vector3?
    private var disturbance = 0.0
    private var lastUpdate: Instant?

    package init() {}

    package mutating func reset() { self = GravityFilter() }

    /// `force` is the specific force in the body frame, m/s².
    package mutating func update(_ force: Vector3, at now: Instant) {
        let excess = (force.length / Vertical.gravity - 1).magnitude
        defer { lastUpdate = now }
        guard let previous = specificForce, let last = lastUpdate, now > last, now - last < Self.longestGap
        else {
            specificForce = force
            disturbance = excess
            return
        }
        let elapsed = (now - last).seconds
        specificForce = previous + (force - previous) * (1 - exp(-elapsed / Self.timeConstant.seconds))
        disturbance += (excess - disturbance) * (1 - exp(-elapsed / Self.disturbanceMemory))
    }

    /// `nil` before the first sample and in free fall.
    package var vertical: Vertical? {
        guard let force = specificForce, force.length > 0.3 * Vertical.gravity,
            let down = (-force).normalized
        else { return nil }
        let motion = Angle.arcTangent(rise: disturbance, run: 1)
        return Vertical(down: down, uncertainty: Self.atRest.combined(with: motion))
    }
}
