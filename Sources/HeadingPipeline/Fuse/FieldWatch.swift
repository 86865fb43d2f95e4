import Glibc

/// The field that the magnetic model gives for this place, as far as a magnetometer can check it.
package struct ReferenceField: Hashable, Sendable {
    package var strength: FluxDensity
    package var inclination: Angle

    package init(strength: FluxDensity, inclination: Angle) {
        self.strength = strength
        self.inclination = inclination
    }
}

/// Compares the measured strength and dip with what is to be expected, to tell interference by iron or a
/// magnet nearby, and a sensor whose scale cannot be right.
package struct FieldWatch: Hashable, Sendable {
    /// The range of the field's strength on Earth, with room for local anomalies.
    package static let onEarth = FluxDensity.microtesla(20)...FluxDensity.microtesla(70)
    /// A strength wrong by such a factor is no interference but a wrong scale.
    package static let scaleFactor = 5.0
    /// Interference is said above the first share of the strength and taken back below the second.
    package static let onset = 0.15
    package static let release = 0.10
    /// What a sensor of this class knows of its own scale, 1 sigma: a wrong scale alone turns no heading.
    package static let scaleTolerance = 0.03
    private static let steepDip = Angle.degrees(30)
    private static let polarityTolerance = Angle.degrees(20)
    private static let polarityPatience = Interval.seconds(3)
    private static let memory = Interval.seconds(0.5)
    /// Across the horizontal field iron turns the heading most and shows least: a deviation is reckoned with as half as
    /// large again, and for longer than it is seen.
    private static let hiddenShare = 1.5
    private static let lingering = Interval.seconds(10)
    /// On another heading it may be there and not be seen, if it is on board: it is reckoned with so many times as
    /// long as it was seen.
    private static let turnedLingering = 4.0
    private static let longestLingering = Interval.seconds(900)
    private static let sameHeading = Angle.degrees(40)

    /// How far the field is off: the length of the shortest vector that explains strength and dip.
    package private(set) var deviation = FluxDensity.zero
    private var largest = FluxDensity.zero
    private var headingOfLargest = Angle.zero
    /// For how long there has been a deviation that the sensor's scale does not explain.
    private var presence = Interval.zero
    /// Iron or a magnet is near.
    package private(set) var isDisturbed = false
    /// Since when the dip has had the other sign than the place's.
    private var invertedSince: Instant?
    /// All axes, or the down axis, show the field backwards: no iron does that for so long.
    package private(set) var isInverted = false
    /// What a vertical that is off makes of the dip, 1 sigma; the accuracy has it already, as tilt.
    private var byTilt = FluxDensity.zero
    private var strength = FluxDensity.zero
    private var reference = FluxDensity.zero
    private var lastUpdate: Instant?

    package init() {}

    package mutating func reset() { self = FieldWatch() }

    /// `inclination` is `nil` where no accelerometer tells the vertical, `expected` where no position is known.
    package mutating func update(
        strength measured: FluxDensity, inclination: Angle?, tiltUncertainty: Angle = .zero, heading: Angle,
        expected: ReferenceField?, at now: Instant
    ) {
        let target = Self.deviation(strength: measured, inclination: inclination, expected: expected)
        let elapsed = lastUpdate.map { max(.zero, now - $0) }
        let gain = elapsed.map { 1 - exp(-$0.seconds / Self.memory.seconds) } ?? 1
        deviation = deviation + (target - deviation) * gain
        byTilt = inclination == nil ? .zero : measured * tiltUncertainty.radians
        linger(elapsed ?? .zero, heading)
        strength = strength + (measured - strength) * gain
        reference = expected?.strength ?? max(Self.onEarth.lowerBound, min(Self.onEarth.upperBound, strength))
        lastUpdate = now
        watchPolarity(inclination, expected?.inclination, at: now)
        isDisturbed =
            scaleSuspicion == nil && deviation > reference * (isDisturbed ? Self.release : Self.onset)
    }

    private mutating func linger(_ elapsed: Interval, _ heading: Angle) {
        let isPresent = deviation > max(reference * Self.scaleTolerance, byTilt * 2)
        if isPresent { presence = min(Self.longestLingering, presence + elapsed) }
        guard deviation < largest else {
            largest = deviation
            headingOfLargest = heading
            return
        }
        let turned = Angle.shortest(from: headingOfLargest, to: heading).magnitude
        var memory = Self.lingering
        if isPresent || turned > Self.sameHeading {
            memory = max(memory, min(Self.longestLingering, presence * Self.turnedLingering))
        } else {
            presence = max(.zero, presence - elapsed * Self.turnedLingering)
        }
        largest = max(deviation, largest * exp(-elapsed.seconds / memory.seconds))
    }

    private mutating func watchPolarity(_ inclination: Angle?, _ expected: Angle?, at now: Instant) {
        guard let inclination, let expected, expected.magnitude > Self.steepDip,
            (inclination + expected).magnitude < Self.polarityTolerance
        else {
            invertedSince = nil
            isInverted = false
            return
        }
        let since = invertedSince ?? now
        invertedSince = since
        isInverted = now - since >= Self.polarityPatience
    }

    private static func deviation(
        strength: FluxDensity, inclination: Angle?, expected: ReferenceField?
    ) -> FluxDensity {
        guard let expected else {
            return max(.zero, strength - onEarth.upperBound, onEarth.lowerBound - strength)
        }
        let along = strength - expected.strength
        guard let inclination else { return along.magnitude }
        // Law of cosines for two vectors with the dips' difference between them.
        let across = ((inclination - expected.inclination) / 2).sine * 2
        let squared = along.si * along.si + strength.si * expected.strength.si * across * across
        return FluxDensity(si: squared.squareRoot())
    }

    /// The error of the field that the deviation shows, beyond what scale and calibration explain.
    package func unexplained(residual: FluxDensity) -> FluxDensity {
        let scale = reference * Self.scaleTolerance
        let beyond =
            largest.si * largest.si - scale.si * scale.si - residual.si * residual.si - byTilt.si * byTilt.si
        return FluxDensity(si: max(0, beyond).squareRoot()) * Self.hiddenShare
    }

    /// Measured over expected strength where it is so far off that only a wrong scale explains it.
    package var scaleSuspicion: Double? {
        guard strength > .zero, reference > .zero else { return nil }
        let ratio: Double = strength / reference
        return ratio >= Self.scaleFactor || ratio <= 1 / Self.scaleFactor ? ratio : nil
    }
}
