import Glibc

/// The first seconds, in which force and field are averaged in a frame that the gyroscope holds still: a moving
/// body's accelerations cancel out there, a resting one's noise does.
struct InitialAlignment: Hashable, Sendable {
    /// Turns the body frame into the held one.
    var turned = Quaternion.identity
    private(set) var force = Vector3.zero
    private(set) var field = Vector3.zero
    private var forceSquared = 0.0
    private var fieldLength = 0.0
    private(set) var forces = 0.0
    private(set) var fields = 0.0
    private(set) var began: Instant?
    private(set) var seconds = 0.0

    /// `reading` in g, already turned into the held frame.
    mutating func add(force reading: Vector3, at now: Instant) {
        began = began ?? now
        seconds = max(seconds, began.map { (now - $0).seconds } ?? 0)
        force = force + reading
        forceSquared += reading.lengthSquared
        forces += 1
    }

    /// `reading` in µT, already turned into the held frame.
    mutating func add(field reading: Vector3) {
        field = field + reading
        fieldLength += reading.length
        fields += 1
    }

    /// Mean square of the acceleration, g².
    var power: Double {
        guard forces > 0 else { return 0 }
        let mean = force / forces
        return max(0, forceSquared / forces - mean.lengthSquared)
    }

    /// In a frame that is held still the field does not turn: no body moves so wildly, but a gyroscope may lie.
    var isSmeared: Bool { seconds > 0.5 && field.length < Self.leastCoherence * fieldLength }
    private static let leastCoherence = 0.97

    /// One second is enough at rest, five in motion.
    var isComplete: Bool { seconds >= 5 || (seconds >= 1 && power < 0.02 * 0.02) }

    /// Turns the held frame into the earth frame; `nil` while either mean is missing or both are parallel.
    var northAndLevel: Matrix3? {
        guard let down = (-force).normalized, let east = down.cross(field).normalized else { return nil }
        return Matrix3(east.cross(down), east, down)
    }

    /// Variance of the vertical: accelerations stay the same for some 0.3 s, and the frame is held by a gyroscope of
    /// unknown bias.
    func tiltVariance(_ noise: FilterNoise, turning rate: Double) -> Double {
        guard forces > 0 else { return 1 }
        let excess = force.length / forces - 1
        let unseen = 4 * excess * excess + 0.01 * min(1, rate * rate / 0.12)
        let share = 0.3 / (0.3 + seconds)
        let drift = noise.bias * seconds / 2
        return noise.tiltAtStart * noise.tiltAtStart + power * share + unseen * share + drift * drift
    }
}
