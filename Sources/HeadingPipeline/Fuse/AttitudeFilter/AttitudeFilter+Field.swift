import Glibc

extension AttitudeFilter {
    private static let longestRepetition = 0.15

    /// `reading`: the calibrated field in µT, body frame; from a calibrated sensor or a raw one.
    package mutating func update(fieldMicrotesla reading: Vector3, isCalibrated: Bool, at now: Instant) {
        let iron = isCalibrated ? noise.hardIron : noise.hardIronUncalibrated
        field.hardIronVariance = iron * iron
        field.hardIronMemory = isCalibrated ? noise.hardIronMemory : noise.hardIronMemoryUncalibrated
        if alignment != nil { return align(fieldMicrotesla: reading, at: now) }
        let step = field.at.map { (now - $0).seconds } ?? noise.sampleSpacing
        let isNew = reading != field.last
        // Some devices repeat a value until they have a new one.
        guard step > 0, isNew || step > Self.longestRepetition else { return }
        let rotation = orientation(at: now).matrix
        let hasStoodStill = !isNew && hasTurnedAway(from: reading)
        dispute(reading, isNew: !hasStoodStill, rotation, step)
        field.at = now
        field.last = reading
        guard !hasStoodStill else { return }
        if isNew { field.turned = .zero }
        let earthField = rotation * (reading - hardIron)
        let measurement = FieldInnovation(
            residual: earthField - field.reference - disturbance, rotation: rotation,
            reference: field.reference, variance: sampleVariance(step), covariance)
        guard let gain = measurement.gain else { return }
        if passes(measurement, gain, at: now) { correct(measurement, gain) }
        rememberDisturbance(step)
        followReference(step)
    }

    /// The same value again says nothing where the body has turned so far that it must be another.
    private func hasTurnedAway(from reading: Vector3) -> Bool {
        let movement = field.turned.cross(reading - hardIron)
        return movement.lengthSquared > 4 * noise.field * noise.field
    }

    private mutating func dispute(_ reading: Vector3, isNew: Bool, _ rotation: Matrix3, _ step: Double) {
        let bySurroundings =
            noise.disturbance / field.reference.x * (gyroscope.isSuspect ? noise.suspicion : 1)
        let byTiming = gyroscope.rate.length * noise.timing
        let known = max(0, covariance.attitude.rowZ.z)
        let tilt = max(covariance.attitude.rowX.x, covariance.attitude.rowY.y)
        field.dispute.update(
            FieldDispute.Evidence(
                field: rotation * (reading - (field.undisturbed ?? hardIron)), reference: field.reference,
                down: force.down.map { rotation * $0 },
                bearingUncertainty: (known + bySurroundings * bySurroundings + byTiming * byTiming)
                    .squareRoot(), tiltUncertainty: max(0, tilt).squareRoot(), isNew: isNew), step)
    }

    private func sampleVariance(_ step: Double) -> Double {
        let timing = gyroscope.rate.length * noise.timing * field.reference.length
        return (noise.field * noise.field + timing * timing) * max(1, noise.sampleSpacing / step)
    }

    /// Outside the gate a sample is skipped. When that lasts, the field has become another of a kind yet unknown,
    /// around or on board: the filter learns to expect it, and turning tells which it is. The heading stays.
    private mutating func passes(
        _ measurement: FieldInnovation, _ gain: FilterGain, at now: Instant
    ) -> Bool {
        guard measurement.residual.dot(gain.inverse * measurement.residual) > noise.gate else {
            field.outsideSince = nil
            return true
        }
        let since = field.outsideSince ?? now
        field.outsideSince = since
        guard (now - since).seconds >= noise.patience else { return false }
        field.outsideSince = nil
        if !returnToNormal(measurement) { expectDisturbance(measurement.residual.lengthSquared / 3) }
        return false
    }

    private mutating func expectDisturbance(_ variance: Double) {
        if field.undisturbed == nil { field.undisturbed = hardIron }
        covariance.disturbance = covariance.disturbance + .isotropic(variance)
        covariance.hardIron = covariance.hardIron + .isotropic(variance)
        field.variance = max(field.variance, variance)
    }

    /// What came often goes again as it came: the field is then what it was before.
    private mutating func returnToNormal(_ measurement: FieldInnovation) -> Bool {
        guard let undisturbed = field.undisturbed else { return false }
        let left =
            measurement.residual + disturbance + measurement.rotation * (hardIron - undisturbed)
        let byHeading = covariance.attitude.rowZ.z * field.reference.x * field.reference.x
        let expected = 3 * noise.disturbance * noise.disturbance + byHeading
        guard left.lengthSquared < 4 * expected, left.lengthSquared < measurement.residual.lengthSquared / 4
        else { return false }
        disturbance = .zero
        hardIron = undisturbed
        field.undisturbed = nil
        field.variance = noise.disturbance * noise.disturbance
        covariance.forgetField(disturbance: field.variance, hardIron: field.hardIronVariance)
        return true
    }

    private mutating func correct(_ measurement: FieldInnovation, _ gain: FilterGain) {
        let z = measurement.residual
        var turn = gain.attitude * z
        turn.x = 0
        turn.y = 0
        apply(
            FilterVector(
                attitude: turn, bias: gain.bias * z, disturbance: gain.disturbance * z,
                hardIron: gain.hardIron * z))
        covariance.subtract(gain, measurement)
    }

    /// A disturbance far beyond the usual makes the filter expect such for a while.
    private mutating func rememberDisturbance(_ step: Double) {
        let usual = noise.disturbance * noise.disturbance
        let met = disturbance.lengthSquared
        let fade = exp(-step / noise.largeDisturbanceMemory)
        field.variance = max(usual, usual + (field.variance - usual) * fade)
        if met > 9 * usual { field.variance = max(field.variance, met / 3) }
        field.isLarge = met > 16 * usual
    }

    /// What of the disturbance stays with the moving body, north and down, is the field itself. Never its east part:
    /// that would be heading.
    private mutating func followReference(_ step: Double) {
        guard !field.isLarge, field.outsideSince == nil else { return }
        field.referenceAge = min(noise.referenceMemory, field.referenceAge + step)
        let share = motion * step / max(1, field.referenceAge)
        field.reference.x = max(0.1, field.reference.x + disturbance.x * share)
        field.reference.z += disturbance.z * share
        disturbance.x *= 1 - share
        disturbance.z *= 1 - share
    }
}

/// The field's residual, R(m - h) - (B + d), and what it sees of the filter's errors.
///
/// The attitude's part is taken at the reference B, not at B + d: with the disturbance in it the filter would
/// believe that it knows the heading where it does not.
struct FieldInnovation {
    let residual: Vector3
    let rotation: Matrix3
    /// P Hᵀ in blocks.
    let attitude: Matrix3
    let bias: Matrix3
    let disturbance: Matrix3
    let hardIron: Matrix3
    private let variance: Matrix3

    init(
        residual: Vector3, rotation: Matrix3, reference: Vector3, variance: Double, _ p: FilterCovariance
    ) {
        self.residual = residual
        self.rotation = rotation
        let b = Matrix3.cross(reference)
        attitude =
            p.attitude.timesTransposed(b) + p.attitudeDisturbance
            + p.attitudeHardIron.timesTransposed(rotation)
        bias =
            p.attitudeBias.transposed.timesTransposed(b) + p.biasDisturbance
            + p.biasHardIron.timesTransposed(rotation)
        disturbance =
            p.attitudeDisturbance.transposed.timesTransposed(b) + p.disturbance
            + p.disturbanceHardIron.timesTransposed(rotation)
        hardIron =
            p.attitudeHardIron.transposed.timesTransposed(b) + p.disturbanceHardIron.transposed
            + p.hardIron.timesTransposed(rotation)
        self.variance =
            (b * attitude + disturbance + rotation * hardIron + .isotropic(variance)).symmetric
    }

    var gain: FilterGain? {
        guard let inverse = variance.inverse else { return nil }
        return FilterGain(
            inverse: inverse, attitude: attitude * inverse, bias: bias * inverse,
            disturbance: disturbance * inverse, hardIron: hardIron * inverse)
    }
}

struct FilterGain {
    let inverse: Matrix3
    let attitude: Matrix3
    let bias: Matrix3
    let disturbance: Matrix3
    let hardIron: Matrix3
}

extension FilterCovariance {
    /// Disturbance and hard iron are as unknown as at the start, and tied to nothing.
    mutating func forgetField(disturbance variance: Double, hardIron ironVariance: Double) {
        attitudeDisturbance = .zero
        attitudeHardIron = .zero
        biasDisturbance = .zero
        biasHardIron = .zero
        disturbanceHardIron = .zero
        disturbance = .isotropic(variance)
        hardIron = .isotropic(ironVariance)
    }

    /// Joseph's form for a gain whose rows for the tilt are left out (a Schmidt-Kalman update): the tilt's own
    /// block stays as it is, all else shrinks as with the full gain.
    mutating func subtract(_ k: FilterGain, _ c: FieldInnovation) {
        let tilt = attitude
        attitude = (attitude - k.attitude.timesTransposed(c.attitude)).symmetric
        attitude.rowX.x = tilt.rowX.x
        attitude.rowX.y = tilt.rowX.y
        attitude.rowY.x = tilt.rowY.x
        attitude.rowY.y = tilt.rowY.y
        attitudeBias = attitudeBias - k.attitude.timesTransposed(c.bias)
        attitudeDisturbance = attitudeDisturbance - k.attitude.timesTransposed(c.disturbance)
        attitudeHardIron = attitudeHardIron - k.attitude.timesTransposed(c.hardIron)
        bias = (bias - k.bias.timesTransposed(c.bias)).symmetric
        biasDisturbance = biasDisturbance - k.bias.timesTransposed(c.disturbance)
        biasHardIron = biasHardIron - k.bias.timesTransposed(c.hardIron)
        disturbance = (disturbance - k.disturbance.timesTransposed(c.disturbance)).symmetric
        disturbanceHardIron = disturbanceHardIron - k.disturbance.timesTransposed(c.hardIron)
        hardIron = (hardIron - k.hardIron.timesTransposed(c.hardIron)).symmetric
    }
}
