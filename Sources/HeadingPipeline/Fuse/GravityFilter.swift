import Glibc

/// Follows the specific force to tell the vertical, and how far it can be trusted: acceleration other than
/// gravity shows as a length other than g.
package struct GravityFilter: Hashable, Sendable {
    /// Long enough for an engine's shaking, short enough to roll with the vessel.
    package static let timeConstant = Interval.seconds(0.12)
    /// How well a resting accelerometer of this class knows the vertical, 1 sigma.
    package static let atRest = Angle.degrees(0.5)
    /// After such a gap the filter starts afresh.
    private static let longestGap = Interval.seconds(1)
    /// Seconds over which acceleration other than gravity is remembered.
    private static let disturbanceMemory = 2.0

    /// A body that is shaken is accelerated as well, in all directions: g for each g that shows in the length.
    private static let unseenShare = 1.3
    /// The share of a rolling that is the swaying that comes with it ...
    private static let swayShare = 0.35
    /// ... up to this: a body that turns over is not thrown about for that.
    private static let largestSway = Angle.degrees(4)

    private var specificForce: Vector3?
    /// Mean square of the length's deviation, g².
    private var disturbance = 0.0
    /// The vertical's mean, and how far it moves about it, radians².
    private var meanDown = Vector3.zero
    private var wobble = 0.0
    private var lastUpdate: Instant?

    package init() {}

    package mutating func reset() { self = GravityFilter() }

    /// `force` is the specific force in the body frame, m/s².
    package mutating func update(_ force: Vector3, at now: Instant) {
        let excess = force.length / Vertical.gravity - 1
        defer { lastUpdate = now }
        guard let previous = specificForce, let last = lastUpdate, now > last, now - last < Self.longestGap
        else {
            specificForce = force
            disturbance = excess * excess
            meanDown = (-force).normalized ?? .zero
            wobble = 0
            return
        }
        let elapsed = (now - last).seconds
        specificForce = previous + (force - previous) * (1 - exp(-elapsed / Self.timeConstant.seconds))
        let share = 1 - exp(-elapsed / Self.disturbanceMemory)
        disturbance += (excess * excess - disturbance) * share
        guard let down = specificForce.flatMap({ (-$0).normalized }) else { return }
        meanDown = meanDown + (down - meanDown) * share
        wobble += ((down - meanDown).lengthSquared - wobble) * share
    }

    /// `nil` before the first sample and in free fall.
    package var vertical: Vertical? {
        guard let force = specificForce, force.length > 0.3 * Vertical.gravity,
            let down = (-force).normalized
        else { return nil }
        let shaking = Angle.arcTangent(rise: disturbance.squareRoot() * Self.unseenShare, run: 1)
        let sway = min(Self.largestSway, Angle(radians: wobble.squareRoot() * Self.swayShare))
        return Vertical(
            down: down, uncertainty: Self.atRest.combined(with: shaking).combined(with: sway))
    }
}
