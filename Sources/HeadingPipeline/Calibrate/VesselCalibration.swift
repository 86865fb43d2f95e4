/// All calibrations in force: what the config gives, and what was saved for the very sensors that are open.
package struct VesselCalibration: Hashable, Sendable {
    private let configured: MagneticCalibration?
    /// The one in force: the config's goes before the saved one.
    package private(set) var magnetic: MagneticCalibration?
    package private(set) var deviation: DeviationTable?
    package private(set) var alignment: Alignment?
    /// Turns the body frame as the sensors' axes give it into the vessel's, level when she is; the sensors are taken
    /// to sit on one board.
    package private(set) var levelling: Matrix3?
    private var magnetometer: Stored?
    private var accelerometer: Stored?

    private struct Stored: Hashable {
        var sensor: String
        var archive = CalibrationArchive()
        var fault: ArchiveFault?

        /// A file that cannot be understood leaves the sensor uncalibrated; records of another sensor do too.
        mutating func recall(_ bytes: [UInt8]) {
            do throws(ArchiveFault) {
                archive = CalibrationArchive(
                    try CalibrationArchive(parsing: bytes).records.filter { $0.sensor == sensor })
                fault = nil
            } catch {
                archive = CalibrationArchive()
                fault = error
            }
        }
    }

    package init(settings: Settings.Magnetometer) {
        configured = MagneticCalibration(settings: settings)
        magnetic = configured
    }

    /// What was saved for another sensor is not for this one.
    package mutating func open(_ source: Source, sensor: String?) {
        switch source {
        case .magnetometer where magnetometer?.sensor != sensor:
            magnetometer = sensor.map { Stored(sensor: $0) }
        case .accelerometer where accelerometer?.sensor != sensor:
            accelerometer = sensor.map { Stored(sensor: $0) }
        default: return
        }
        apply()
    }

    /// Takes the file that belongs to the sensor that a source has opened; from now on it is in force.
    package mutating func recall(_ bytes: [UInt8], for source: Source) {
        switch source {
        case .magnetometer: magnetometer?.recall(bytes)
        case .accelerometer: accelerometer?.recall(bytes)
        case .gyroscope, .gps: return
        }
        apply()
    }

    private mutating func apply() {
        (magnetic, deviation, alignment, levelling) = (configured, nil, nil, nil)
        if configured == nil, case .magnetic(let record) = magneticRecord?.content {
            magnetic = record.calibration
        }
        if case .deviation(let table) = current(.deviation)?.content { deviation = table }
        if case .alignment(let saved) = current(.alignment)?.content { alignment = saved }
        if case .level(let tilt) = accelerometer?.archive.current(.level)?.content {
            levelling = tilt.levelling
        }
    }

    package static let configured = "configured"
    package static let none = "uncalibrated"

    /// Of the calibration in force, in a word.
    package var quality: String {
        guard magnetic != nil else { return Self.none }
        if isConfigured { return Self.configured }
        guard case .magnetic(let record) = magneticRecord?.content else { return Self.none }
        return record.quality.rawValue
    }

    package var isConfigured: Bool { configured != nil }

    /// The saved one, whether it is in force or not.
    package var magneticRecord: CalibrationRecord? { current(.magnetic) }

    private func current(_ kind: CalibrationRecord.Kind) -> CalibrationRecord? {
        magnetometer?.archive.current(kind)
    }

    /// Why what was saved is not in force.
    package var fault: ArchiveFault? { magnetometer?.fault ?? accelerometer?.fault }

    // MARK: Headings

    /// The compass heading along the keel, before the deviation table: what a swing is about.
    package func compassHeading(_ sensorHeading: Angle) -> Angle {
        alignment.map { (sensorHeading + $0.offset).foldedPositive } ?? sensorHeading
    }

    package func magneticHeading(_ sensorHeading: Angle) -> Angle {
        let compass = compassHeading(sensorHeading)
        return deviation?.magnetic(compassHeading: compass) ?? compass
    }

    /// What table and alignment may be off, 1 sigma.
    package var headingUncertainty: Angle {
        (deviation?.uncertainty ?? .zero).combined(with: alignment?.uncertainty ?? .zero)
    }
}

extension LevelTilt {
    /// The inverse of the turn from level by pitch, then roll.
    var levelling: Matrix3 {
        VesselAttitude(heading: .zero, pitch: pitch, roll: roll).intoBodyFrame.transposed
    }
}
