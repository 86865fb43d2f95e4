import Glibc

/// The rate at which the vessel turns about the vertical: from the gyroscope where there is one, else from
/// the change of the filtered heading.
package struct RateOfTurn: Hashable, Sendable {
    package struct Estimate: Hashable, Sendable {
        /// Positive to starboard.
        package var rate: AngularRate
        /// 1 sigma.
        package var uncertainty: AngularRate
    }

    /// The zero-rate offset of an uncompensated gyroscope of this class, 1 sigma.
    package static let gyroscopeOffset = AngularRate.degreesPerSecond(0.5)
    /// What is left of a heading's slow errors in its change over a second, 1 sigma.
    package static let headingDrift = AngularRate.degreesPerSecond(0.05)
    private static let memory = Interval.seconds(1)
    private static let longestGap = Interval.seconds(2)

    private var rates = RunningMoments(memory: memory)
    private var gain = 1.0
    private var lastUpdate: Instant?
    private var lastHeading: Angle?
    private var isFromGyroscope = false
    private var offset = gyroscopeOffset

    package init() {}

    package mutating func reset() { self = RateOfTurn() }

    /// `rotation` in the body frame, rad/s; `down` a unit vector; `offset` what is not known of the
    /// gyroscope's own, 1 sigma.
    package mutating func update(
        rotation: Vector3, down: Vector3, offset: AngularRate = gyroscopeOffset, at now: Instant
    ) {
        if !isFromGyroscope { reset() }
        self.offset = offset
        isFromGyroscope = true
        add(rotation.dot(down), at: now)
    }

    /// Ignored where the gyroscope tells.
    package mutating func update(heading: Angle, at now: Instant) {
        guard !isFromGyroscope else { return }
        defer { lastHeading = heading }
        guard let lastHeading, let lastUpdate, now > lastUpdate else {
            self.lastUpdate = now
            return
        }
        let turned = Angle.shortest(from: lastHeading, to: heading).radians
        add(turned / (now - lastUpdate).seconds, at: now)
    }

    private mutating func add(_ rate: Double, at now: Instant) {
        let elapsed = lastUpdate.map { now - $0 } ?? .zero
        if elapsed >= Self.longestGap { rates = RunningMoments(memory: Self.memory) }
        gain = elapsed > .zero ? 1 - exp(-elapsed.seconds / Self.memory.seconds) : 1
        rates.add(rate, after: elapsed)
        lastUpdate = now
    }

    /// `nil` until two readings have come.
    package var estimate: Estimate? {
        guard lastUpdate != nil, isFromGyroscope || lastHeading != nil else { return nil }
        let noise = AngularRate(si: (rates.variance * gain / (2 - gain)).squareRoot())
        let offset = isFromGyroscope ? offset : Self.headingDrift
        return Estimate(
            rate: AngularRate(si: rates.mean),
            uncertainty: AngularRate(si: (noise.si * noise.si + offset.si * offset.si).squareRoot()))
    }
}
