/// From readings to measurements. One value: no clock, no file, no socket, no thread; the same readings give
/// the same measurements.
///
/// Acquire (is the source alive?) → Calibrate (sensor frame to body frame, gate) → Fuse (heading) →
/// Navigate (declination, position, motion) → measurements, which Publish makes messages of.
package struct Pipeline: Sendable {
    var settings: Settings
    package internal(set) var sources: SourceTable
    package internal(set) var rejections = RejectionCounts()
    /// When ``nextStale(at:)`` will find a source unless a reading comes.
    package internal(set) var deadline: Instant?

    var magnetometerMounting: Mounting
    var accelerometerMounting: Mounting
    var gyroscopeMounting: Mounting
    package internal(set) var calibrations: VesselCalibration
    var magneticGate = SampleGate()
    var accelerationGate = SampleGate()
    var rotationGate = SampleGate()

    var calibrationWatch = CalibrationWatch()
    /// What is used while there is no calibration.
    var provisional = ProvisionalCalibration()
    var lastForce: (bodyFrame: Vector3, at: Instant)?

    var estimator: HeadingEstimator
    var lastField: FieldEstimate?
    var lastHeading: HeadingMeasurement?

    var reference: MagneticReference
    var wallClock: WallClock
    var fixes: FixTracker

    var destination: Destination?
    var steer: CourseToSteer?
    package internal(set) var trip = Trip()
    /// What is steered by, of the last reading.
    var shown: HeadingMeasurement?
    var lastCourse: Angle?

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
        case .lost(let source, let reason): return lose(source, reason, at: now)
        case .refused(let source, let rejection): return refuse(rejection, from: source)
        case .stored(let source, let file): return recall(file, for: source)
        case .clock(let time): return take(wallClock: time, at: now)
        case .command(let command): return take(command, at: now)
        case .trip(let totals): return resume(totals, at: now)
        }
    }

    /// A source that has gone stale by now and was not told yet; `nil` when there is none (any more).
    package mutating func nextStale(at now: Instant) -> Measurements? {
        guard let deadline, now >= deadline else { return nil }
        defer { self.deadline = sources.deadline }
        for source in Source.allCases where sources[source].check(at: now) {
            return offline(source, at: now)
        }
        return nil
    }

    /// UTC as far as it is known.
    package func time(at now: Instant) -> UTCTime? { wallClock.time(at: now) }
}
