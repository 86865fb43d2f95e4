/// Turns a sensor's frame into the body frame (x forward, y starboard, z down): the driver's mount matrix
/// first, then the operator's axes.
package struct Mounting: Hashable, Sendable {
    private let sensorToBody: Matrix3

    /// The operator's `mount_matrix`, where given, takes the place of the driver's.
    package init(settings: Settings.Sensor, driverMatrix: Matrix3?) {
        sensorToBody = settings.axes * (settings.mountMatrix ?? driverMatrix ?? .identity)
    }

    /// The turn's inverse is its transpose.
    package func sensorFrame(_ bodyFrame: Vector3) -> Vector3 { sensorToBody.transposed * bodyFrame }

    package func bodyFrame(_ sensorFrame: Vector3) -> Vector3 { sensorToBody * sensorFrame }
}
