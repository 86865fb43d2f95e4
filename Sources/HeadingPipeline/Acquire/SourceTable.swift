/// One monitor for each source.
package struct SourceTable: Hashable, Sendable {
    package var magnetometer: SourceMonitor
    package var accelerometer: SourceMonitor
    package var gyroscope: SourceMonitor
    package var gps: SourceMonitor

    package init(settings: Settings) {
        magnetometer = SourceMonitor(staleAfter: settings.magnetometer.sensor.staleAfter)
        accelerometer = SourceMonitor(staleAfter: settings.accelerometer.staleAfter)
        gyroscope = SourceMonitor(staleAfter: settings.gyroscope.staleAfter)
        gps = SourceMonitor(staleAfter: settings.gps.staleAfter)
    }

    package subscript(_ source: Source) -> SourceMonitor {
        get {
            switch source {
            case .magnetometer: magnetometer
            case .accelerometer: accelerometer
            case .gyroscope: gyroscope
            case .gps: gps
            }
        }
        set {
            switch source {
            case .magnetometer: magnetometer = newValue
            case .accelerometer: accelerometer = newValue
            case .gyroscope: gyroscope = newValue
            case .gps: gps = newValue
            }
        }
    }

    /// Takes note of a good reading, without copying a monitor. True: the source went online by it.
    package mutating func accept(_ source: Source, at now: Instant) -> Bool {
        switch source {
        case .magnetometer: magnetometer.accept(at: now)
        case .accelerometer: accelerometer.accept(at: now)
        case .gyroscope: gyroscope.accept(at: now)
        case .gps: gps.accept(at: now)
        }
    }

    /// When the next source goes stale unless a reading comes.
    package var deadline: Instant? {
        earlier(
            earlier(magnetometer.deadline, accelerometer.deadline), earlier(gyroscope.deadline, gps.deadline))
    }
}

private func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
}
