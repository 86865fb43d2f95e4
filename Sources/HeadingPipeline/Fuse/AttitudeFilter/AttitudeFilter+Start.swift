extension AttitudeFilter {
    /// How the body stands at `now` in the frame that the alignment holds.
    private func held(_ alignment: InitialAlignment, at now: Instant) -> Matrix3 {
        (alignment.turned * Quaternion(rotationVector: turnSinceKept(at: now))).matrix
    }

    mutating func align(specificForce reading: Vector3, at now: Instant) {
        guard var alignment else { return }
        alignment.add(force: held(alignment, at: now) * reading, at: now)
        self.alignment = alignment
    }

    /// From the first field after the first force on there is an attitude, at first as uncertain as one sample of each
    /// leaves it.
    mutating func align(fieldMicrotesla reading: Vector3, at now: Instant) {
        guard var alignment else { return }
        alignment.add(field: held(alignment, at: now) * reading)
        self.alignment = alignment
        field.at = now
        field.last = reading
        guard alignment.forces > 0, let northAndLevel = alignment.northAndLevel else { return }
        let mean = northAndLevel * (alignment.field / alignment.fields)
        field.reference = Vector3(mean.x, 0, mean.z)
        field.variance = noise.disturbance * noise.disturbance
        orientation = (Quaternion(rotation: northAndLevel) * alignment.turned).normalized
        covariance = startCovariance(alignment, orientation(at: now).matrix)
        isStarted = true
        guard alignment.isComplete else { return }
        force.power = max(force.power, alignment.power)
        self.alignment = nil
    }

    /// The heading inherits what tilt, disturbance and hard iron do to the field's east part: from
    /// Bz θx - Bn θz + dy + (R h)y + v = 0 follow θz's variance and its ties to each of them.
    private func startCovariance(_ alignment: InitialAlignment, _ rotation: Matrix3) -> FilterCovariance {
        let tilt = alignment.tiltVariance(noise, turning: gyroscope.rate.length)
        let (north, down) = (max(0.1, field.reference.x), field.reference.z)
        let sample = noise.field * noise.field / alignment.fields
        let drift = noise.bias * alignment.seconds / 2
        let east = down * down * tilt + field.variance + field.hardIronVariance + sample
        let heading = east / (north * north) + drift * drift
        var p = FilterCovariance()
        p.bias = .isotropic(noise.bias * noise.bias)
        p.disturbance = .isotropic(field.variance)
        p.hardIron = .isotropic(field.hardIronVariance)
        p.attitude = .diagonal(Vector3(tilt, tilt, min(heading, Self.unknownHeading)))
        guard heading < Self.unknownHeading else { return p }
        p.attitude.rowX.z = down * tilt / north
        p.attitude.rowZ.x = down * tilt / north
        p.attitudeDisturbance.rowZ.y = field.variance / north
        p.attitudeHardIron.rowZ = rotation.rowY * (field.hardIronVariance / north)
        return p
    }

    /// Variance of a direction of which nothing is known, evenly spread over the circle: π² / 3.
    private static let unknownHeading = 3.29
}
