import Glibc

/// Compares how the field turns in the body frame with how the gyroscope says that the body turns: a magnetometer with a
/// mirrored or exchanged axis turns another way. Every 30° of turning is one comparison.
package struct AxesWatch: Hashable, Sendable {
    private static let arc = 30 * Double.pi / 180
    /// Less movement of the field says nothing, µT.
    private static let leastMovement = 2.0
    /// A slower turn is not compared: bias and iron nearby would be taken for it.
    private static let longestArc = Interval.seconds(30)
    /// Mean square of the difference over that of the movement: 0 for the right axes, 1 and more for wrong ones.
    private static let (onset, release) = (0.6, 0.3)
    private static let leastComparisons = 5
    /// A gyroscope that runs wild for seconds has the right axes.
    private static let leastDuration = Interval.seconds(35)
    private static let share = 0.25

    private var turned = Quaternion.identity
    private var lastRotation: Instant?
    private var anchor: Vector3?
    private var anchoredAt = Instant(nanoseconds: 0)
    private var mismatch = 0.0
    private var comparisons = 0
    /// Since when each comparison has shown a mismatch.
    private var mismatchingSince: Instant?
    /// The axes of magnetometer and gyroscope do not belong together.
    package private(set) var isSuspect = false

    package init() {}

    package mutating func reset() { self = AxesWatch() }

    /// `rotation` in the body frame, rad/s.
    package mutating func update(rotation: Vector3, at now: Instant) {
        defer { lastRotation = now }
        guard let last = lastRotation, now > last else { return }
        let step = (now - last).seconds
        guard step < 0.5 else { return anchor = nil }
        turned = (turned * Quaternion(rotationVector: rotation * step)).normalized
    }

    /// `field` calibrated, in the body frame, microtesla.
    package mutating func update(fieldMicrotesla field: Vector3, at now: Instant) {
        guard let before = anchor, now - anchoredAt < Self.longestArc else { return restart(field, at: now) }
        // Half the turn's sine is the vector part's length.
        guard turned.v.length >= sin(Self.arc / 2) else { return }
        let expected = turned.matrix.transposed * before
        let movement = (expected - before).lengthSquared
        if movement >= Self.leastMovement * Self.leastMovement {
            compare((field - expected).lengthSquared / movement, at: now)
        }
        restart(field, at: now)
    }

    private mutating func restart(_ field: Vector3, at now: Instant) {
        anchor = field
        anchoredAt = now
        turned = .identity
    }

    /// No single comparison counts for much: a magnet may have come.
    private mutating func compare(_ ratio: Double, at now: Instant) {
        comparisons += 1
        mismatch += (min(ratio, 2) - mismatch) * Self.share
        let since = ratio < Self.release ? nil : mismatchingSince ?? now
        mismatchingSince = since
        let lasts = since.map { now - $0 >= Self.leastDuration } ?? false
        isSuspect =
            comparisons >= Self.leastComparisons
            && (isSuspect ? mismatch > Self.release : mismatch > Self.onset && lasts)
    }
}
