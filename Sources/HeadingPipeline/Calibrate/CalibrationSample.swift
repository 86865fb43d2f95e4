/// One raw reading for a calibration, both vectors in the magnetometer's frame.
package struct CalibrationSample: Hashable, Sendable {
    package var fieldMicrotesla: Vector3
    /// At the same moment, where an accelerometer is there.
    package var specificForce: Vector3?

    package init(fieldMicrotesla: Vector3, specificForce: Vector3? = nil) {
        self.fieldMicrotesla = fieldMicrotesla
        self.specificForce = specificForce
    }
}
