import Glibc

extension AttitudeFilter {
    /// The magnetic heading of the bow.
    package struct Outcome: Hashable, Sendable {
        package var heading: Angle
        /// 1 sigma.
        package var uncertainty: Angle
    }

    package func outcome(at now: Instant) -> Outcome {
        let bow = orientation(at: now).bow
        let level = max(1e-6, bow.x * bow.x + bow.y * bow.y)
        // A turn of the earth frame about a level axis moves a raised bow sideways.
        let gradient = Vector3(-bow.z * bow.x / level, -bow.z * bow.y / level, 1)
        let doubt = field.dispute.doubt
        let variance = gradient.dot(covariance.attitude * gradient) + doubt * doubt
        return Outcome(
            heading: .direction(north: bow.x, east: bow.y),
            uncertainty: .radians(max(0, variance).squareRoot()))
    }

    /// Which way is down in the body frame.
    package func vertical(at now: Instant) -> Vertical {
        let tilt = max(covariance.attitude.rowX.x, covariance.attitude.rowY.y)
        return Vertical(
            down: orientation(at: now).down, uncertainty: .radians(max(0, tilt).squareRoot()))
    }

    /// Of the rate about an axis of the body, 1 sigma.
    package func biasUncertainty(along axis: Vector3) -> AngularRate {
        .radiansPerSecond(max(0, axis.dot(covariance.bias * axis)).squareRoot())
    }

    var dispute: FieldDispute { field.dispute }

    /// Gyroscope and field together should tell the heading, and do not: one of them makes no sense.
    var isLost: Bool {
        guard field.hardIronVariance < 1 else { return false }
        if let alignment { return alignment.isSmeared }
        let byField = noise.disturbance / field.reference.x
        return isStarted && covariance.attitude.rowZ.z > max(Self.lostHeading, 9 * byField * byField)
    }

    /// The variance of 45°.
    private static let lostHeading = 0.6

    /// The field is not the one that was here before.
    package var isDisturbed: Bool { field.undisturbed != nil && field.isLarge }
}

extension Quaternion {
    /// The body's x axis in the earth frame: the matrix' first column.
    var bow: Vector3 {
        Vector3(
            1 - 2 * (v.y * v.y + v.z * v.z), 2 * (v.x * v.y + w * v.z), 2 * (v.x * v.z - w * v.y))
    }

    /// The earth frame's z axis in the body frame: the matrix' last row.
    var down: Vector3 {
        Vector3(
            2 * (v.x * v.z - w * v.y), 2 * (v.y * v.z + w * v.x), 1 - 2 * (v.x * v.x + v.y * v.y))
    }
}
