import Glibc

extension AttitudeFilter {
    /// What the filter knows at one moment.
    package struct Outcome: Hashable, Sendable {
        /// Rows north, east, down: turns the body frame into the earth frame.
        package var rotation: Matrix3
        /// Magnetic, of the bow.
        package var heading: Angle
        /// 1 sigma.
        package var uncertainty: Angle
    }

    package func outcome(at now: Instant) -> Outcome {
        let rotation = orientation(at: now).matrix
        let bow = Vector3(rotation.rowX.x, rotation.rowY.x, rotation.rowZ.x)
        let level = max(1e-6, bow.x * bow.x + bow.y * bow.y)
        // A turn of the earth frame about a level axis moves a raised bow sideways.
        let gradient = Vector3(-bow.z * bow.x / level, -bow.z * bow.y / level, 1)
        let variance = gradient.dot(covariance.attitude * gradient)
        return Outcome(
            rotation: rotation, heading: .direction(north: bow.x, east: bow.y),
            uncertainty: .radians(max(0, variance).squareRoot()))
    }
}
