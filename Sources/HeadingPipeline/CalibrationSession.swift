/// A calibration being learned from a stream of readings: the magnetometer's samples with gravity beside them, and
/// the field that is to be expected where the fixes are.
package struct CalibrationSession: Sendable {
    package let isLevelTurn: Bool
    package private(set) var sensor: SensorDescription?
    package private(set) var place: GeoPosition?
    package private(set) var lastFieldMicrotesla: Vector3?
    package private(set) var refused = 0
    /// Samples of a sensor that is open no longer.
    package private(set) var leftOut = 0
    /// In force for this sensor until now, as far as it was saved.
    package private(set) var stored: CalibrationRecord?
    private let settings: Settings
    private var collector = CalibrationCollector()
    private var gate = SampleGate()
    private var magnetometer: Mounting
    private var accelerometer: Mounting
    private var force: (bodyFrame: Vector3, at: Instant)?
    private var reference: MagneticReference
    private var wallClock: WallClock
    private var now = Instant(nanoseconds: 0)

    package init(settings: Settings, isLevelTurn: Bool, buildDate: UTCTime = BuildDate.current) {
        self.settings = settings
        self.isLevelTurn = isLevelTurn
        magnetometer = Mounting(settings: settings.magnetometer.sensor, driverMatrix: nil)
        accelerometer = Mounting(settings: settings.accelerometer, driverMatrix: nil)
        reference = MagneticReference(settings: settings.heading, buildDate: buildDate)
        wallClock = WallClock(buildDate: buildDate)
    }

    package mutating func take(_ reading: Reading) {
        now = reading.at
        switch reading.content {
        case .sample(let sample): take(sample)
        case .opened(let source, let description): open(source, description)
        case .fix(let fix): take(fix)
        case .clock(let time):
            wallClock.machine(time, at: now)
            reference.update(wallClock: time, at: now)
        case .refused(.magnetometer, _): refused += 1
        case .stored(.magnetometer, let file): recall(file)
        case .compass, .satellites, .lost, .refused, .stored, .command, .trip: break
        }
    }

    private mutating func open(_ source: Source, _ description: SensorDescription?) {
        let matrix = description?.mountMatrix
        switch source {
        case .magnetometer:
            // Another sensor's samples are no use to this one.
            if sensor?.identity != description?.identity {
                leftOut += collector.samples.count
                collector = CalibrationCollector()
                stored = nil
            }
            sensor = description
            magnetometer = Mounting(settings: settings.magnetometer.sensor, driverMatrix: matrix)
        case .accelerometer: accelerometer = Mounting(settings: settings.accelerometer, driverMatrix: matrix)
        case .gyroscope, .gps: break
        }
    }

    private mutating func recall(_ file: [UInt8]) {
        let record = try? CalibrationArchive(parsing: file).current(.magnetic)
        stored = record?.sensor == sensor?.identity ? record : nil
    }

    private mutating func take(_ sample: SensorSample) {
        switch sample.source {
        case .accelerometer: force = (accelerometer.bodyFrame(sample.vector), now)
        case .magnetometer:
            guard gate.examine(sample, rotation: nil, at: now) == nil else {
                refused += 1
                return
            }
            lastFieldMicrotesla = sample.vector
            collector.take(
                CalibrationSample(fieldMicrotesla: sample.vector, specificForce: forceInSensorFrame))
        case .gyroscope, .gps: break
        }
    }

    private var forceInSensorFrame: Vector3? {
        guard let force, now - force.at < .milliseconds(200) else { return nil }
        return magnetometer.sensorFrame(force.bodyFrame)
    }

    private mutating func take(_ fix: GpsFix) {
        guard fix.mode != .none, let position = fix.position else { return }
        place = position
        reference.update(
            position: position, height: fix.ellipsoidHeight ?? fix.altitude, receiverTime: fix.time, at: now)
        // Put right where the receiver's weeks have rolled over.
        if fix.time != nil { wallClock.receiver(reference.date(at: now), at: now) }
    }

    // MARK: What it gives

    package var samples: [CalibrationSample] { collector.samples }

    /// What the model says of the field here; `nil` without a fix.
    package var expected: EarthField? {
        reference.field?.expected.map { EarthField(strength: $0.total, inclination: $0.inclination) }
    }

    /// - Parameter asked: what somebody knows of the field; it goes before what the fixes tell.
    package func fit(expected asked: EarthField? = nil) -> CalibrationFit {
        var limits = CalibrationLimits()
        limits.believableScale = 0.5...2
        return CalibrationFitter(expected: asked ?? expected, limits: limits)
            .fit(samples, isLevelTurn: isLevelTurn)
    }

    /// `nil` for a fit that is not to be kept.
    package func record(_ fit: CalibrationFit) -> CalibrationRecord? {
        guard let sensor, let magnetic = MagneticRecord(fit) else { return nil }
        return CalibrationRecord(
            sensor: sensor.identity, time: wallClock.time(at: now), place: place, content: .magnetic(magnetic)
        )
    }
}
