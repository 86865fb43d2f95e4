/// What a sensor's housing and vessel do to the field, and its undoing: `soft * (raw - hard)`, in the
/// sensor's frame, microtesla.
package struct MagneticCalibration: Hashable, Sendable {
    /// The constant field of everything magnetised that turns with the sensor (hard iron).
    package var hardIron: Vector3
    /// Undoes the stretching by what the field itself magnetises (soft iron), and scale errors.
    package var softIron: Matrix3
    /// What is left of the field's error in each axis, 1 sigma.
    package var residual: FluxDensity

    package init(hardIron: Vector3, softIron: Matrix3, residual: FluxDensity) {
        self.hardIron = hardIron
        self.softIron = softIron
        self.residual = residual
    }

    /// The calibration that the config gives; `nil` where it gives none.
    package init?(settings: Settings.Magnetometer) {
        guard settings.hardIron != nil || settings.softIron != nil else { return nil }
        self.init(
            hardIron: settings.hardIron ?? .zero, softIron: settings.softIron ?? .identity,
            residual: settings.calibrationResidual)
    }

    package func corrected(_ rawMicrotesla: Vector3) -> Vector3 { softIron * (rawMicrotesla - hardIron) }
}
