/// Refuses vectors that a working sensor cannot give, and remembers what that says of the sensor.
package struct SampleGate: Hashable, Sendable {
    /// So many saturated samples in a row mean that the sensor is overloaded, not touched.
    package static let saturationRun = 5
    /// A sensor that has turned by so much cannot give the same triple, if that turn must have moved it by several of
    /// the coarsest steps of such sensors; slower ones may need a while for the next reading.
    package static let frozenAfter = Interval.seconds(2)
    package static let frozenAngle = Angle.degrees(10)
    /// A slower turn may be the gyroscope's own offset.
    package static let turning = AngularRate.degreesPerSecond(2)
    /// A gyroscope with coarse steps may stand still at rest: so many in a row for so long say something only if the vessel
    /// turns.
    private static let repetitions = 10
    private static let repeatingAfter = Interval.seconds(1)
    private static let longestStep = 0.5

    private var saturatedInARow = 0
    private var zeroInARow = 0
    private var lastVector: Vector3?
    /// Since when, and how the body has turned meanwhile, radians, sensor frame.
    private var standingSince: Instant?
    private var examinedAt: Instant?
    private var turned = Vector3.zero
    private var repeated = 0

    package init() {}

    package var isSaturated: Bool { saturatedInARow >= Self.saturationRun }
    /// The last samples were zero on all axes.
    package var isZero: Bool { zeroInARow >= Self.saturationRun }
    /// The last sample was refused because nothing moves.
    package private(set) var isFrozen = false

    /// The last samples were the very same.
    package private(set) var isRepeating = false

    /// `nil` when the sample may pass. `rotation` is the gyroscope's rate now, rad/s, in the sensor's frame; `nil` without a
    /// gyroscope, when a sensor that stands still may as well sit in a vessel that does.
    package mutating func examine(
        _ sample: SensorSample, rotation: Vector3?, at now: Instant
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
        follow(sample.vector, rotation, at: now)
        if !isRepeating { isFrozen = false }
        if hasTurnedAway(sample) { isFrozen = true }
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

    private mutating func follow(_ vector: Vector3, _ rotation: Vector3?, at now: Instant) {
        let step = examinedAt.map { (now - $0).seconds } ?? 0
        examinedAt = now
        guard vector == lastVector else {
            lastVector = vector
            standingSince = now
            repeated = 0
            turned = .zero
            isRepeating = false
            return
        }
        repeated += 1
        isRepeating = repeated >= Self.repetitions && stood(at: now) >= Self.repeatingAfter
        guard let rotation, rotation.length >= Self.turning.si, step > 0 else { return }
        turned += rotation * min(step, Self.longestStep)
    }

    private func stood(at now: Instant) -> Interval { standingSince.map { now - $0 } ?? .zero }

    private func hasTurnedAway(_ sample: SensorSample) -> Bool {
        guard let examinedAt, stood(at: examinedAt) >= Self.frozenAfter,
            turned.length >= Self.frozenAngle.radians
        else { return false }
        return turned.cross(sample.vector).length >= Self.leastMovement(of: sample.source)
    }

    private static func leastMovement(of source: Source) -> Double {
        switch source {
        // µT.
        case .magnetometer: 3
        // m/s².
        case .accelerometer: 1
        case .gyroscope, .gps: .infinity
        }
    }
}
