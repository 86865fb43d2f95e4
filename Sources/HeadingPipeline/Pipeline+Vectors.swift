// Magnetometer, accelerometer, gyroscope.
extension Pipeline {
    mutating func take(_ sample: SensorSample, at now: Instant) -> Measurements {
        do throws(Rejection) {
            switch sample.source {
            case .magnetometer: return try takeField(sample, at: now)
            case .accelerometer: return try takeForce(sample, at: now)
            case .gyroscope: return try takeRotation(sample, at: now)
            case .gps: return Measurements()
            }
        } catch {
            return refuse(error, from: sample.source)
        }
    }

    mutating func takeField(_ sample: SensorSample, at now: Instant) throws(Rejection) -> Measurements {
        let rotation = estimator.bodyRotation.map(magnetometerMounting.sensorFrame)
        if let rejection = magneticGate.examine(sample, rotation: rotation, at: now) { throw rejection }
        if calibration == nil { learn(sample.vector, at: now) }
        let applied = calibration ?? provisional.calibration
        let field = levelled(
            magnetometerMounting.bodyFrame(applied?.corrected(sample.vector) ?? sample.vector))
        let expected = reference.field?.expected.map(ReferenceField.init)
        var estimate = try estimator.update(
            fieldMicrotesla: field, residual: applied?.residual, expected: expected, at: now)
        estimate.isProvisional = calibration == nil
        lastField = estimate.field
        watchCalibration(at: now)
        var new = accepted(.magnetometer, at: now)
        lastHeading = measurement(estimate, at: now)
        new.heading = lastHeading
        show(lastHeading, &new, at: now)
        new.field = estimate.field.map { fieldMeasurement($0, expected, at: now) }
        if estimator.bodyRotation == nil { new.rateOfTurn = rateMeasurement(at: now) }
        return new
    }

    mutating func takeForce(_ sample: SensorSample, at now: Instant) throws(Rejection) -> Measurements {
        let rotation = estimator.bodyRotation.map(accelerometerMounting.sensorFrame)
        if let rejection = accelerationGate.examine(sample, rotation: rotation, at: now) { throw rejection }
        let force = accelerometerMounting.bodyFrame(sample.vector)
        lastForce = (force, now)
        estimator.update(specificForce: levelled(force), at: now)
        guard let vertical = estimator.attitude else { throw .noVertical }
        var new = accepted(.accelerometer, at: now)
        new.attitude = AttitudeMeasurement(
            time: wallClock.time(at: now), roll: vertical.roll, pitch: vertical.pitch,
            accuracy: vertical.uncertainty * 1.96)
        return new
    }

    mutating func takeRotation(
        _ sample: SensorSample, at now: Instant
    ) throws(Rejection) -> Measurements {
        if let rejection = rotationGate.examine(sample, rotation: nil, at: now) { throw rejection }
        estimator.update(
            rotation: levelled(gyroscopeMounting.bodyFrame(sample.vector)),
            isRepeating: rotationGate.isRepeating, at: now)
        switch estimator.gyroscopeFault {
        case .frozen: throw .frozen
        case .contradicted: throw .contradicted
        case nil: break
        }
        var new = accepted(.gyroscope, at: now)
        new.rateOfTurn = rateMeasurement(at: now)
        return new
    }

    mutating func take(_ heading: CompassHeading, at now: Instant) -> Measurements {
        guard heading.magnetic.isFinite else { return refuse(.notFinite, from: .magnetometer) }
        guard heading.magnetic.magnitude <= .fullTurn else { return refuse(.outOfRange, from: .magnetometer) }
        let estimate = estimator.update(compass: heading.magnetic, at: now)
        var new = accepted(.magnetometer, at: now)
        new.heading = measurement(estimate, at: now)
        show(new.heading, &new, at: now)
        if estimator.bodyRotation == nil { new.rateOfTurn = rateMeasurement(at: now) }
        return new
    }

    var calibration: MagneticCalibration? { calibrations.magnetic }

    func levelled(_ bodyFrame: Vector3) -> Vector3 {
        calibrations.levelling.map { $0 * bodyFrame } ?? bodyFrame
    }
}
