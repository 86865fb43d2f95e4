/// All calibrations in force: what the config gives, and what was saved for the very sensors that are open.
package struct VesselCalibration: Hashable, Sendable {
    private let configured: MagneticCalibration?
    /// The one in force: the config's goes before the saved one.
    package private(set) var magnetic: MagneticCalibration?
    private var magnetometer: Stored? {
        didSet { magnetic = configured ?? savedMagnetic }
    }

    private struct Stored: Hashable {
        var sensor: String
        var archive = CalibrationArchive()
        var fault: ArchiveFault?
    }

    package init(settings: Settings.Magnetometer) {
        configured = MagneticCalibration(settings: settings)
        magnetic = configured
    }

    /// What was saved for another sensor is not for this one.
    package mutating func open(_ source: Source, sensor: String?) {
        guard source == .magnetometer, magnetometer?.sensor != sensor else { return }
        magnetometer = sensor.map { Stored(sensor: $0) }
    }

    /// Takes the file that belongs to the sensor that a source has opened; from now on it is in force. A file that
    /// cannot be understood leaves the sensor uncalibrated.
    package mutating func recall(_ bytes: [UInt8], for source: Source) {
        guard source == .magnetometer, var stored = magnetometer else { return }
        do throws(ArchiveFault) {
            stored.archive = CalibrationArchive(
                try CalibrationArchive(parsing: bytes).records.filter { $0.sensor == stored.sensor })
            stored.fault = nil
        } catch {
            stored.archive = CalibrationArchive()
            stored.fault = error
        }
        magnetometer = stored
    }

    private var savedMagnetic: MagneticCalibration? {
        guard case .magnetic(let record) = magneticRecord?.content else { return nil }
        return record.calibration
    }

    package var isConfigured: Bool { configured != nil }

    /// The saved one, whether it is in force or not.
    package var magneticRecord: CalibrationRecord? { magnetometer?.archive.current(.magnetic) }

    /// Why what was saved is not in force.
    package var fault: ArchiveFault? { magnetometer?.fault }
}
