/// From readings to measurements. One value: no clock, no file, no socket, no thread; the same readings give
/// the same measurements.
///
/// Acquire (is the source alive?) → Calibrate (sensor frame to body frame, gate) → Fuse (heading) →
/// Navigate (declination, position, motion) → measurements, which Publish makes messages of.
package struct Pipeline: Sendable {
    private let settings: Settings
    package private(set) var sources: SourceTable
    package private(set) var rejections = RejectionCounts()
    /// When ``nextStale(at:)`` will find a source unless a reading comes.
    package private(set) var deadline: Instant?

    private var magnetometerMounting: Mounting
    private var accelerometerMounting: Mounting
    private var gyroscopeMounting: Mounting
    package private(set) var calibrations: VesselCalibration
    private var magneticGate = SampleGate()
    private var accelerationGate = SampleGate()
    private var rotationGate = SampleGate()

    private var calibrationWatch = CalibrationWatch()

    private var estimator: HeadingEstimator
    private var lastField: FieldEstimate?
    private var lastHeading: HeadingMeasurement?

    private var reference: MagneticReference
    private var wallClock: WallClock
    private var fixes: FixTracker

    package init(settings: Settings, buildDate: UTCTime = BuildDate.current) {
        self.settings = settings
        sources = SourceTable(settings: settings)
        magnetometerMounting = Mounting(settings: settings.magnetometer.sensor, driverMatrix: nil)
        accelerometerMounting = Mounting(settings: settings.accelerometer, driverMatrix: nil)
        gyroscopeMounting = Mounting(settings: settings.gyroscope, driverMatrix: nil)
        calibrations = VesselCalibration(settings: settings.magnetometer)
        estimator = HeadingEstimator(settings: settings.heading)
        reference = MagneticReference(settings: settings.heading, buildDate: buildDate)
        wallClock = WallClock(buildDate: buildDate)
        fixes = FixTracker(settings: settings.gps)
    }

    package mutating func take(_ reading: Reading) -> Measurements {
        defer { deadline = sources.deadline }
        let now = reading.at
        switch reading.content {
        case .sample(let sample): return take(sample, at: now)
        case .compass(let heading): return take(heading, at: now)
        case .fix(let fix): return take(fix, at: now)
        case .satellites(let report): return take(report, at: now)
        case .opened(let source, let description): return open(source, description)
        case .lost(let source, let reason): return lose(source, reason)
        case .refused(let source, let rejection): return refuse(rejection, from: source)
        case .stored(let source, let file): return recall(file, for: source)
        case .clock(let time): return take(wallClock: time, at: now)
        }
    }

    /// A source that has gone stale by now and was not told yet; `nil` when there is none (any more).
    package mutating func nextStale(at now: Instant) -> Measurements? {
        guard let deadline, now >= deadline else { return nil }
        defer { self.deadline = sources.deadline }
        for source in Source.allCases where sources[source].check(at: now) { return offline(source) }
        return nil
    }

    /// UTC as far as it is known.
    package func time(at now: Instant) -> UTCTime? { wallClock.time(at: now) }

    /// What needs the operator's eye.
    package var warnings: [Diagnostics.Warning] {
        var warnings: [Diagnostics.Warning] = []
        if sources.magnetometer.isOnline, calibration == nil, lastField != nil {
            warnings.append(.uncalibrated)
        }
        if let fault = calibrations.fault { warnings.append(.calibrationUnreadable(fault)) }
        if let drift = calibrationWatch.suspicion { warnings.append(.calibrationSuspect(drift)) }
        if lastField?.isDisturbed == true { warnings.append(.interference) }
        if let ratio = lastField?.scaleSuspicion { warnings.append(.scaleSuspect(ratio)) }
        switch lastField?.fault {
        case .inverted: warnings.append(.polaritySuspect)
        case .wrongAxes: warnings.append(.axesSuspect)
        case nil: break
        }
        if magneticGate.isSaturated { warnings.append(.saturated) }
        if magneticGate.isFrozen { warnings.append(.frozen) }
        if magneticGate.isZero { warnings.append(.zeroField) }
        if reference.field?.isExpired == true { warnings.append(.modelExpired) }
        let epochs = reference.receiverEpochsAdded
        if epochs != 0 { warnings.append(.receiverWeekRollover(epochs: epochs)) }
        return warnings
    }

    private var calibration: MagneticCalibration? { calibrations.magnetic }

    private func levelled(_ bodyFrame: Vector3) -> Vector3 {
        calibrations.levelling.map { $0 * bodyFrame } ?? bodyFrame
    }

    // MARK: Vectors

    private mutating func take(_ sample: SensorSample, at now: Instant) -> Measurements {
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

    private mutating func takeField(_ sample: SensorSample, at now: Instant) throws(Rejection) -> Measurements
    {
        if let rejection = magneticGate.examine(sample, rotation: estimator.rotationRate, at: now) {
            throw rejection
        }
        let field = levelled(
            magnetometerMounting.bodyFrame(calibration?.corrected(sample.vector) ?? sample.vector))
        let expected = reference.field?.expected.map(ReferenceField.init)
        let estimate = try estimator.update(
            fieldMicrotesla: field, residual: calibration?.residual, expected: expected, at: now)
        lastField = estimate.field
        watchCalibration(at: now)
        var new = accepted(.magnetometer, at: now)
        lastHeading = measurement(estimate, at: now)
        new.heading = lastHeading
        new.field = estimate.field.map { fieldMeasurement($0, expected, at: now) }
        if estimator.rotationRate == nil { new.rateOfTurn = rateMeasurement(at: now) }
        return new
    }

    private mutating func takeForce(_ sample: SensorSample, at now: Instant) throws(Rejection) -> Measurements
    {
        if let rejection = accelerationGate.examine(sample, rotation: nil, at: now) { throw rejection }
        estimator.update(specificForce: levelled(accelerometerMounting.bodyFrame(sample.vector)), at: now)
        guard let vertical = estimator.attitude else { throw .noVertical }
        var new = accepted(.accelerometer, at: now)
        new.attitude = AttitudeMeasurement(
            time: wallClock.time(at: now), roll: vertical.roll, pitch: vertical.pitch,
            accuracy: vertical.uncertainty * 1.96)
        return new
    }

    private mutating func takeRotation(
        _ sample: SensorSample, at now: Instant
    ) throws(Rejection) -> Measurements {
        if let rejection = rotationGate.examine(sample, rotation: nil, at: now) { throw rejection }
        estimator.update(rotation: levelled(gyroscopeMounting.bodyFrame(sample.vector)), at: now)
        var new = accepted(.gyroscope, at: now)
        new.rateOfTurn = rateMeasurement(at: now)
        return new
    }

    private mutating func take(_ heading: CompassHeading, at now: Instant) -> Measurements {
        guard heading.magnetic.isFinite else { return refuse(.notFinite, from: .magnetometer) }
        let estimate = estimator.update(compass: heading.magnetic, at: now)
        var new = accepted(.magnetometer, at: now)
        new.heading = measurement(estimate, at: now)
        if estimator.rotationRate == nil { new.rateOfTurn = rateMeasurement(at: now) }
        return new
    }

    // MARK: Measurements

    private func measurement(_ sensor: HeadingEstimate, at now: Instant) -> HeadingMeasurement {
        var estimate = sensor
        estimate.magnetic = calibrations.magneticHeading(sensor.magnetic)
        estimate.accuracy.alignment = sensor.accuracy.alignment.combined(
            with: calibrations.headingUncertainty)
        return HeadingMeasurement(
            time: wallClock.time(at: now), magnetic: estimate.magnetic,
            magneticAccuracy: estimate.accuracy.interval95, quality: quality(of: estimate),
            trueNorth: reference.field.map { trueHeading(estimate, $0) },
            prefersTrue: settings.heading.reference == .trueNorth)
    }

    private func trueHeading(
        _ estimate: HeadingEstimate, _ local: LocalField
    ) -> HeadingMeasurement.TrueHeading {
        var accuracy = estimate.accuracy
        accuracy.declination = local.declinationUncertainty
        return HeadingMeasurement.TrueHeading(
            heading: (estimate.magnetic + local.declination).foldedPositive,
            accuracy: accuracy.interval95, declination: local.declination)
    }

    private func quality(of estimate: HeadingEstimate) -> HeadingQuality {
        if magneticGate.isSaturated || estimate.field?.scaleSuspicion != nil { return .bad }
        if estimate.field?.fault != nil { return .bad }
        return HeadingQuality(estimate)
    }

    private func fieldMeasurement(
        _ field: FieldEstimate, _ expected: ReferenceField?, at now: Instant
    ) -> FieldMeasurement {
        FieldMeasurement(
            time: wallClock.time(at: now), strength: field.strength,
            accuracy: calibration.map { $0.residual * 1.96 }, inclination: field.inclination,
            expected: expected, isDisturbed: field.isDisturbed, scaleSuspicion: field.scaleSuspicion)
    }

    private func rateMeasurement(at now: Instant) -> RateMeasurement? {
        estimator.rateOfTurn.map {
            RateMeasurement(time: wallClock.time(at: now), rate: $0.rate, accuracy: $0.uncertainty * 1.96)
        }
    }

    private func declinationMeasurement(at now: Instant) -> DeclinationMeasurement? {
        reference.field.map {
            DeclinationMeasurement(
                time: wallClock.time(at: now), declination: $0.declination,
                accuracy: $0.declinationUncertainty * 1.96, source: $0.source, isExpired: $0.isExpired)
        }
    }

    private mutating func watchCalibration(at now: Instant) {
        guard calibration != nil, let field = lastField, let expected = reference.field?.expected else {
            return
        }
        calibrationWatch.update(
            strength: field.strength, inclination: field.inclination,
            expected: EarthField(strength: expected.total, inclination: expected.inclination), at: now)
    }

    private mutating func watchCalibration(_ navigation: Navigation) {
        guard calibration != nil, let course = navigation.course, let speed = navigation.speed,
            let heading = lastHeading?.trueNorth
        else { return }
        calibrationWatch.update(course: course.course, heading: heading.heading, speed: speed.speed)
    }

    // MARK: Fixes and clock

    private mutating func take(_ fix: GpsFix, at now: Instant) -> Measurements {
        switch fixes.update(fix, at: now) {
        case .navigation(let navigation): return take(navigation)
        case .noFix:
            sources.gps.explain("the receiver has no fix")
            return Measurements()
        case .refused(let rejection): return refuse(rejection, from: .gps)
        }
    }

    private mutating func take(_ navigation: Navigation) -> Measurements {
        let now = navigation.at
        reference.update(
            position: navigation.position, height: navigation.ellipsoidHeight ?? navigation.altitude,
            receiverTime: navigation.time, at: now)
        if navigation.time != nil { wallClock.receiver(reference.date(at: now), at: now) }
        /// The receiver's own time where the fix has one; a value that was carried over keeps the time of its fix.
        func time(at moment: Instant) -> UTCTime? {
            navigation.time == nil ? wallClock.time(at: moment) : reference.date(at: moment)
        }
        estimator.update(speed: navigation.speed?.speed, at: now)
        watchCalibration(navigation)
        var new = accepted(.gps, at: now)
        new.position = PositionMeasurement(navigation, time: time(at: now))
        new.speed = SpeedMeasurement(navigation.speed, time: time(at: navigation.speed?.at ?? now))
        new.course = CourseMeasurement(navigation.course, time: time(at: navigation.course?.at ?? now))
        new.declination = declinationMeasurement(at: now)
        return new
    }

    private mutating func take(_ report: SatelliteReport, at now: Instant) -> Measurements {
        fixes.update(report, at: now)
        return Measurements()
    }

    private mutating func take(wallClock time: UTCTime, at now: Instant) -> Measurements {
        wallClock.machine(time, at: now)
        reference.update(wallClock: time, at: now)
        var new = Measurements()
        new.declination = declinationMeasurement(at: now)
        return new
    }

    // MARK: Sources

    private mutating func accepted(_ source: Source, at now: Instant) -> Measurements {
        var new = Measurements()
        if sources.accept(source, at: now) { new.status = StatusChange(source: source, isOnline: true) }
        return new
    }

    private mutating func open(_ source: Source, _ description: SensorDescription?) -> Measurements {
        sources[source].open(description)
        calibrations.open(source, sensor: description?.identity)
        let matrix = description?.mountMatrix
        switch source {
        case .magnetometer:
            magnetometerMounting = Mounting(settings: settings.magnetometer.sensor, driverMatrix: matrix)
            magneticGate = SampleGate()
        case .accelerometer:
            accelerometerMounting = Mounting(settings: settings.accelerometer, driverMatrix: matrix)
        case .gyroscope:
            gyroscopeMounting = Mounting(settings: settings.gyroscope, driverMatrix: matrix)
            estimator.openGyroscope(sampling: description?.sampling ?? .point)
        case .gps: break
        }
        return Measurements()
    }

    private mutating func recall(_ file: [UInt8], for source: Source) -> Measurements {
        calibrations.recall(file, for: source)
        calibrationWatch.reset()
        // What was learnt of the field was learnt with the old calibration.
        if source == .magnetometer { estimator.loseMagnetometer() }
        if source == .accelerometer { estimator.loseAccelerometer() }
        return Measurements()
    }

    private mutating func refuse(_ rejection: Rejection, from source: Source) -> Measurements {
        rejections.add(rejection)
        sources[source].refuse(rejection)
        var new = Measurements()
        if source == .magnetometer, magneticGate.isSaturated || magneticGate.isFrozen || magneticGate.isZero {
            // What was said last must not stand as good while nothing better comes.
            lastHeading?.quality = .bad
            new.heading = lastHeading
        }
        return new
    }

    private mutating func lose(_ source: Source, _ reason: String) -> Measurements {
        sources[source].lose(reason: reason) ? offline(source) : Measurements()
    }

    private mutating func offline(_ source: Source) -> Measurements {
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
        return new
    }
}

extension ReferenceField {
    fileprivate init(_ expected: ExpectedField) {
        self.init(strength: expected.total, inclination: expected.inclination)
    }
}
