// Sources that open, refuse and go.
extension Pipeline {
    mutating func accepted(_ source: Source, at now: Instant) -> Measurements {
        var new = Measurements()
        if sources.accept(source, at: now) { new.status = StatusChange(source: source, isOnline: true) }
        return new
    }

    mutating func open(_ source: Source, _ description: SensorDescription?) -> Measurements {
        sources[source].open(description)
        calibrations.open(source, sensor: description?.identity)
        let matrix = description?.mountMatrix
        switch source {
        case .magnetometer:
            magnetometerMounting = Mounting(settings: settings.magnetometer.sensor, driverMatrix: matrix)
            magneticGate = SampleGate()
            provisional = ProvisionalCalibration()
        case .accelerometer:
            accelerometerMounting = Mounting(settings: settings.accelerometer, driverMatrix: matrix)
            accelerationGate = SampleGate()
        case .gyroscope:
            gyroscopeMounting = Mounting(settings: settings.gyroscope, driverMatrix: matrix)
            rotationGate = SampleGate()
            estimator.openGyroscope(sampling: description?.sampling ?? .point)
        case .gps: break
        }
        return Measurements()
    }

    mutating func recall(_ file: [UInt8], for source: Source) -> Measurements {
        calibrations.recall(file, for: source)
        calibrationWatch.reset()
        // What was learnt of the field was learnt with the old calibration.
        if source == .magnetometer { estimator.loseMagnetometer() }
        if source == .accelerometer { estimator.loseAccelerometer() }
        return Measurements()
    }

    mutating func refuse(_ rejection: Rejection, from source: Source) -> Measurements {
        rejections.add(rejection)
        sources[source].refuse(rejection)
        var new = Measurements()
        if source == .magnetometer, magneticGate.isSaturated || magneticGate.isFrozen || magneticGate.isZero {
            // What was said last must not stand as good while nothing better comes.
            lastHeading?.loseWorth()
            new.heading = lastHeading
        }
        return new
    }

    mutating func lose(_ source: Source, _ reason: String, at now: Instant) -> Measurements {
        sources[source].lose(reason: reason) ? offline(source, at: now) : Measurements()
    }

    mutating func offline(_ source: Source, at now: Instant) -> Measurements {
        switch source {
        case .magnetometer:
            estimator.loseMagnetometer()
            lastField = nil
            lastHeading = nil
        case .accelerometer: estimator.loseAccelerometer()
        case .gyroscope: estimator.loseGyroscope()
        case .gps: break
        }
        var new = Measurements()
        new.status = StatusChange(source: source, isOnline: false)
        loseGuidance(by: source, &new, at: now)
        return new
    }
}
