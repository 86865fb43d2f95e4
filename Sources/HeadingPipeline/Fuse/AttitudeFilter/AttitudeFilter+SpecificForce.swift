import Glibc

extension AttitudeFilter {
    /// `reading`: the specific force in g, body frame; `down`: where it says that down is, smoothed.
    package mutating func update(specificForce reading: Vector3, down: Vector3? = nil, at now: Instant) {
        force.down = down
        let step = force.at.map { (now - $0).seconds } ?? noise.sampleSpacing
        guard step > 0 else { return }
        force.at = now
        if alignment != nil { return align(specificForce: reading, at: now) }
        let seen = orientation(at: now).matrix * reading - centripetal(at: now)
        follow(acceleration: Vector3(seen.x, seen.y, reading.length - 1), step)
        level(by: seen, forceVariance(step))
    }

    /// The speed over ground, which tells what of the force is the turning of the vessel's way. `nil`: unknown.
    package mutating func update(speed: Speed?, at now: Instant) {
        motionAhead = speed.map { KnownSpeed(speed: $0.metersPerSecond, at: now) }
    }

    /// In g, earth frame: to starboard in a turn to starboard.
    private func centripetal(at now: Instant) -> Vector3 {
        guard let known = motionAhead else { return .zero }
        let bow = orientation(at: now).bow
        let level = (bow.x * bow.x + bow.y * bow.y).squareRoot()
        guard level > 0.1 else { return .zero }
        let force = known.speed * gyroscope.turning / Vertical.gravity / level
        return Vector3(-bow.y * force, bow.x * force, 0)
    }

    /// Rises at once and fades slowly: an acceleration rarely comes alone.
    private mutating func follow(acceleration: Vector3, _ step: Double) {
        let power = acceleration.lengthSquared
        let fade = exp(-step / noise.accelerationMemory)
        force.power = max(power, power + (force.power - power) * fade)
    }

    private func forceVariance(_ step: Double) -> Double {
        let timing = gyroscope.rate.length * noise.timing
        let sample =
            noise.force * noise.force + noise.accelerationCorrelation * force.power + timing * timing
        return sample * max(1, noise.sampleSpacing / step)
    }

    /// At rest the turned specific force is (0, 0, -1). An error θ of the attitude makes it (θy, -θx, -1): each
    /// level component measures the error about the other axis, one after the other.
    private mutating func level(by seen: Vector3, _ variance: Double) {
        let corrected = level(seen.x, about: Vector3(0, 1, 0), variance)
        let left = seen.y + corrected.attitude.x
        _ = level(left, about: Vector3(-1, 0, 0), variance)
    }

    private mutating func level(
        _ value: Double, about axis: Vector3, _ noiseVariance: Double
    ) -> FilterVector {
        let column = covariance.column(attitude: axis)
        let variance = column.attitude.dot(axis) + noiseVariance
        covariance.subtract(column, dividedBy: variance)
        let error = column * (value / variance)
        apply(error)
        return error
    }

    mutating func apply(_ error: FilterVector) {
        orientation = (Quaternion(rotationVector: error.attitude) * orientation).normalized
        bias = bias + error.bias
        disturbance = disturbance + error.disturbance
        hardIron = hardIron + error.hardIron
    }
}

extension FilterCovariance {
    /// P Hᵀ of a measurement that sees the attitude's error alone.
    func column(attitude h: Vector3) -> FilterVector {
        FilterVector(
            attitude: attitude * h, bias: attitudeBias.transposed * h,
            disturbance: attitudeDisturbance.transposed * h, hardIron: attitudeHardIron.transposed * h)
    }
}
