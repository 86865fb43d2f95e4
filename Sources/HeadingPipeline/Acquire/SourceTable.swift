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

    /// When the next source goes stale unless a reading comes.
    package var deadline: Instant? {
        [magnetometer.deadline, accelerometer.deadline, gyroscope.deadline, gps.deadline]
            .compactMap { $0 }.min()
    }
}
