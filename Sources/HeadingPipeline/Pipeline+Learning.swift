// Whether the calibration fits, and what is used while there is none.
extension Pipeline {
    /// The headings of a sensor that nobody has calibrated get better by turning, and say that they are uncalibrated.
    mutating func learn(_ rawMicrotesla: Vector3, at now: Instant) {
        let before = provisional.calibration
        let force = lastForce.flatMap { now - $0.at < .milliseconds(200) ? $0.bodyFrame : nil }
        let sample = CalibrationSample(
            fieldMicrotesla: rawMicrotesla, specificForce: force.map(magnetometerMounting.sensorFrame))
        guard provisional.take(sample, expected: expectedField), let after = provisional.calibration,
            before.map({ ($0.hardIron - after.hardIron).length > Self.smallStep }) ?? true
        else { return }
        // What was learnt of the field was learnt with another offset.
        estimator.loseMagnetometer()
        calibrationWatch.reset()
    }

    /// Microtesla; of an offset that changes by less nothing is noticed.
    private static let smallStep = 1.0

    private var expectedField: EarthField? {
        reference.field?.expected.map { EarthField(strength: $0.total, inclination: $0.inclination) }
    }

    private var isCorrected: Bool { calibration != nil || provisional.calibration != nil }

    mutating func watchCalibration(at now: Instant) {
        guard isCorrected, let field = lastField, let expected = expectedField else { return }
        calibrationWatch.update(
            strength: field.strength, inclination: field.inclination, expected: expected, at: now)
        forgetWhatIsSuspect()
    }

    mutating func watchCalibration(_ navigation: Navigation) {
        guard isCorrected, let course = navigation.course, let speed = navigation.speed,
            let heading = lastHeading?.trueNorth
        else { return }
        calibrationWatch.update(course: course.course, heading: heading.heading, speed: speed.speed)
        forgetWhatIsSuspect()
    }

    /// Nobody vouches for what turning has shown.
    private mutating func forgetWhatIsSuspect() {
        guard calibration == nil, calibrationWatch.suspicion != nil else { return }
        provisional = ProvisionalCalibration()
        calibrationWatch.reset()
        estimator.loseMagnetometer()
    }
}
