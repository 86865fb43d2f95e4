/// Refuses vectors that a working sensor cannot give, and remembers what that says of the sensor.
package struct SampleGate: Hashable, Sendable {
    /// So many saturated samples in a row mean that the sensor is overloaded, not touched.
    package static let saturationRun = 5
    /// A sensor that turns cannot give the same triple for so long.
    package static let frozenAfter = Interval.seconds(10)
    /// Turning at this rate or faster must move the field.
    package static let turning = AngularRate.degreesPerSecond(2)

    private var saturatedInARow = 0
    private var zeroInARow = 0
    private var lastVector: Vector3?
    private var turningSince: Instant?

    package init() {}

    package var isSaturated: Bool { saturatedInARow >= Self.saturationRun }
    /// The last samples were zero on all axes.
    package var isZero: Bool { zeroInARow >= Self.saturationRun }
    /// The last sample was refused because nothing moves.
    package private(set) var isFrozen = false

    /// `nil` when the sample may pass. `rotation` is the gyroscope's rate now; `nil` without a gyroscope, when
    /// a sensor that stands still may as well sit in a vessel that does.
    package mutating func examine(
        _ sample: SensorSample, rotation: AngularRate?, at now: Instant
    ) -> Rejection? {
        // A length that overflows would come back as NaN further on.
        let lengthSquared = sample.vector.lengthSquared
        guard lengthSquared.isFinite else { return .notFinite }
        let limit = Self.limit(of: sample.source)
        if lengthSquared > limit * limit { return .outOfRange }
        saturatedInARow = sample.isSaturated ? saturatedInARow + 1 : 0
        if sample.isSaturated { return .saturated }
        let isZero = sample.vector == .zero && sample.source != .gyroscope
        zeroInARow = isZero ? zeroInARow + 1 : 0
        if isZero { return .zeroField }
        isFrozen = standsStill(sample.vector, rotation: rotation, at: now)
        return isFrozen ? .frozen : nil
    }

    /// Ten times what the widest sensors of the kind measure, in the sample's own unit: a driver whose scale is
    /// wrong by as much is still heard, and named.
    private static func limit(of source: Source) -> Double {
        switch source {
        // 5 mT (fluxgates of 50 G).
        case .magnetometer: 50_000
        // 200 g.
        case .accelerometer: 20_000
        // 4000 °/s.
        case .gyroscope, .gps: 700
        }
    }

    private mutating func standsStill(_ vector: Vector3, rotation: AngularRate?, at now: Instant) -> Bool {
        guard vector == lastVector, let rotation, rotation.magnitude >= Self.turning else {
            lastVector = vector
            turningSince = nil
            return false
        }
        let since = turningSince ?? now
        turningSince = since
        return now - since >= Self.frozenAfter
    }
}
