import Glibc

/// Whether a calibration still fits, told slowly: over minutes strength and dip should be the model's, and under way
/// the course the heading's. It only ever tells; nothing is learned from it, and what passes by within a minute
/// does not raise it.
package struct CalibrationWatch: Hashable, Sendable {
    /// Mean deviations over the memory.
    package struct Drift: Hashable, Sendable {
        /// Of the expected strength.
        package var strengthShare: Double?
        package var dip: Angle?
        package var course: Angle?
    }

    private static let memory = Interval.seconds(300)
    /// Less than so much of each is too little to tell.
    private static let least = Interval.seconds(180)
    private static let pace = Interval.seconds(1)
    private static let mostStrengthShare = 0.1
    private static let mostDip = Angle.degrees(6)
    /// Leeway and current alone turn a course by ten degrees.
    private static let mostCourse = Angle.degrees(15)
    private static let leastSpeed = Speed.knots(3)
    /// Below the limits by this factor it is taken back.
    private static let release = 0.8

    private var strength = SlowMean()
    private var dip = SlowMean()
    private var course = SlowMean()
    private var lastField: Instant?
    private var isSuspect = false

    package init() {}

    package mutating func reset() { self = CalibrationWatch() }

    /// The calibrated field against the model's; about once a second counts.
    package mutating func update(
        strength measured: FluxDensity, inclination: Angle?, expected: EarthField, at now: Instant
    ) {
        if let lastField, now - lastField < Self.pace { return }
        let elapsed = lastField.map { min(now - $0, Self.pace * 5) } ?? .zero
        lastField = now
        // A magnet held to the sensor for seconds must not count as minutes of a small drift.
        let share: Double = (measured - expected.strength).magnitude / expected.strength
        strength.add(min(share, Self.mostStrengthShare * 2), elapsed, memory: Self.memory)
        if let inclination {
            let error = (inclination - expected.inclination).magnitude
            dip.add(min(error, Self.mostDip * 2).radians, elapsed, memory: Self.memory)
        }
        judge()
    }

    /// Once a fix, both directions true.
    package mutating func update(course overGround: Angle, heading: Angle, speed: Speed) {
        guard speed >= Self.leastSpeed else { return }
        let error = Angle.shortest(from: heading, to: overGround).magnitude
        course.add(min(error, Self.mostCourse * 2).radians, Self.pace, memory: Self.memory)
        judge()
    }

    private mutating func judge() {
        let factor = isSuspect ? Self.release : 1
        let drift = known
        isSuspect =
            drift.strengthShare ?? 0 > Self.mostStrengthShare * factor
            || drift.dip ?? .zero > Self.mostDip * factor
            || drift.course ?? .zero > Self.mostCourse * factor
    }

    private var known: Drift {
        Drift(
            strengthShare: strength.value(after: Self.least),
            dip: dip.value(after: Self.least).map(Angle.radians),
            course: course.value(after: Self.least).map(Angle.radians))
    }

    /// What has drifted apart, and how far; `nil`: nothing that tells of a wrong calibration.
    package var suspicion: Drift? { isSuspect ? known : nil }
}

/// A mean that forgets slowly, and how much went into it.
private struct SlowMean: Hashable {
    private var mean = 0.0
    private var weight = Interval.zero

    mutating func add(_ value: Double, _ elapsed: Interval, memory: Interval) {
        weight = min(weight + elapsed, memory)
        guard weight > .zero else { return }
        mean += (value - mean) * min(1, elapsed.seconds / weight.seconds)
    }

    func value(after least: Interval) -> Double? { weight >= least ? mean : nil }
}

extension CalibrationWatch.Drift {
    package var text: String {
        [
            strengthShare.map { "strength \(decimalText($0 * 100, places: 0)) % off the model" },
            dip.map { "dip \(decimalText($0.degrees, places: 1))° off the model" },
            course.map { "course \(decimalText($0.degrees, places: 0))° off the heading" },
        ].compactMap { $0 }.joined(separator: ", ")
    }
}
