import Glibc

/// A turn in space as a unit quaternion (Hamilton's, scalar first): `q.matrix * v` turns v from the body's frame
/// into the outer one, and `a * b` is b followed by a.
package struct Quaternion: Hashable, Sendable {
    package var w: Double
    package var v: Vector3

    package init(w: Double, v: Vector3) {
        self.w = w
        self.v = v
    }

    package static let identity = Quaternion(w: 1, v: .zero)

    /// The turn by `angle.length` radians about `angle` (Sola 2017, eq. 101).
    package init(rotationVector angle: Vector3) {
        let squared = angle.lengthSquared
        guard squared > 1e-8 else {
            // The series' next terms are below the last digit.
            self.init(w: 1 - squared / 8, v: angle * (0.5 - squared / 48))
            return
        }
        let length = squared.squareRoot()
        self.init(w: cos(length / 2), v: angle * (sin(length / 2) / length))
    }

    package static func * (a: Quaternion, b: Quaternion) -> Quaternion {
        Quaternion(w: a.w * b.w - a.v.dot(b.v), v: b.v * a.w + a.v * b.w + a.v.cross(b.v))
    }

    /// With length 1 again, after rounding has gnawed at it.
    package var normalized: Quaternion {
        let length = (w * w + v.lengthSquared).squareRoot()
        return length > 0 ? Quaternion(w: w / length, v: v / length) : .identity
    }

    package var matrix: Matrix3 {
        let (x, y, z) = (v.x, v.y, v.z)
        return Matrix3(
            Vector3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            Vector3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            Vector3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
    }

    /// Of a matrix that is a rotation (Shepperd 1978: from the largest of the four, so that nothing is divided by
    /// little).
    package init(rotation m: Matrix3) {
        let (xx, yy, zz) = (m.rowX.x, m.rowY.y, m.rowZ.z)
        let skew = Vector3(m.rowZ.y - m.rowY.z, m.rowX.z - m.rowZ.x, m.rowY.x - m.rowX.y)
        let (xy, xz, yz) = (m.rowX.y + m.rowY.x, m.rowX.z + m.rowZ.x, m.rowY.z + m.rowZ.y)
        let largest = max(xx + yy + zz, xx, yy, zz)
        let unscaled =
            if largest == xx + yy + zz {
                Quaternion(w: 1 + xx + yy + zz, v: skew)
            } else if largest == xx {
                Quaternion(w: skew.x, v: Vector3(1 + xx - yy - zz, xy, xz))
            } else if largest == yy {
                Quaternion(w: skew.y, v: Vector3(xy, 1 - xx + yy - zz, yz))
            } else {
                Quaternion(w: skew.z, v: Vector3(xz, yz, 1 - xx - yy + zz))
            }
        self = unscaled.normalized
    }
}
