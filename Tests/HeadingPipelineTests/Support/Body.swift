import Glibc
import HeadingPipeline

/// A vessel at rest in a field, seen from its body frame: the answer that a heading must give back.
///
/// North-east-down turned by yaw, pitch and roll in this order (Z-Y-X), written out as matrices: another way
/// than the program's, which knows no angles.
struct Body {
    var heading: Double
    var roll = 0.0
    var pitch = 0.0

    /// Plymouth: H 20.301, Z 44.198 µT.
    static let plymouth = Vector3(20.301, 0, 44.198)

    func turned(_ northEastDown: Vector3) -> Vector3 {
        let (yaw, theta, phi) = (heading * .pi / 180, pitch * .pi / 180, roll * .pi / 180)
        let z = Matrix3(Vector3(cos(yaw), sin(yaw), 0), Vector3(-sin(yaw), cos(yaw), 0), Vector3(0, 0, 1))
        let y = Matrix3(
            Vector3(cos(theta), 0, -sin(theta)), Vector3(0, 1, 0), Vector3(sin(theta), 0, cos(theta)))
        let x = Matrix3(Vector3(1, 0, 0), Vector3(0, cos(phi), sin(phi)), Vector3(0, -sin(phi), cos(phi)))
        return x * (y * (z * northEastDown))
    }

    func field(_ northEastDown: Vector3 = Body.plymouth) -> Vector3 { turned(northEastDown) }
    var specificForce: Vector3 { turned(Vector3(0, 0, -9.80665)) }
}
