/// A 3×3 matrix in rows; `m * v` maps a column vector.
package struct Matrix3: Hashable, Sendable {
    package var rowX: Vector3
    package var rowY: Vector3
    package var rowZ: Vector3

    package init(_ rowX: Vector3, _ rowY: Vector3, _ rowZ: Vector3) {
        self.rowX = rowX
        self.rowY = rowY
        self.rowZ = rowZ
    }

    package static let identity = Matrix3(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
    package static func diagonal(_ v: Vector3) -> Matrix3 {
        Matrix3(Vector3(v.x, 0, 0), Vector3(0, v.y, 0), Vector3(0, 0, v.z))
    }

    package static func * (m: Matrix3, v: Vector3) -> Vector3 {
        Vector3(m.rowX.dot(v), m.rowY.dot(v), m.rowZ.dot(v))
    }
    package static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
        let columns = b.transposed
        return Matrix3(columns * a.rowX, columns * a.rowY, columns * a.rowZ)
    }
    package static func * (m: Matrix3, factor: Double) -> Matrix3 {
        Matrix3(m.rowX * factor, m.rowY * factor, m.rowZ * factor)
    }
    package static func + (a: Matrix3, b: Matrix3) -> Matrix3 {
        Matrix3(a.rowX + b.rowX, a.rowY + b.rowY, a.rowZ + b.rowZ)
    }

    package var transposed: Matrix3 {
        Matrix3(
            Vector3(rowX.x, rowY.x, rowZ.x), Vector3(rowX.y, rowY.y, rowZ.y), Vector3(rowX.z, rowY.z, rowZ.z))
    }
    package var determinant: Double { rowX.dot(rowY.cross(rowZ)) }
    package var isFinite: Bool { rowX.isFinite && rowY.isFinite && rowZ.isFinite }

    /// `nil` where the determinant is zero or not finite.
    package var inverse: Matrix3? {
        let determinant = determinant
        guard determinant != 0, determinant.isFinite else { return nil }
        let adjugate = Matrix3(rowY.cross(rowZ), rowZ.cross(rowX), rowX.cross(rowY)).transposed
        return adjugate * (1 / determinant)
    }

    /// Whether it turns without mirroring or stretching: rows of length 1, at right angles, determinant +1.
    package func isRotation(tolerance: Double = 1e-3) -> Bool {
        let product = self * transposed
        let error = product + Matrix3.identity * -1
        let worst = [error.rowX, error.rowY, error.rowZ].map(\.length).max() ?? .infinity
        return isFinite && worst <= tolerance && determinant > 0
    }
}
