extension Matrix3 {
    static let zero = Matrix3(.zero, .zero, .zero)

    /// `a · bᵀ`.
    init(outer a: Vector3, _ b: Vector3) { self.init(b * a.x, b * a.y, b * a.z) }

    /// `cross(v) * w` is the cross product of v and w.
    static func cross(_ v: Vector3) -> Matrix3 {
        Matrix3(Vector3(0, -v.z, v.y), Vector3(v.z, 0, -v.x), Vector3(-v.y, v.x, 0))
    }

    static func - (a: Matrix3, b: Matrix3) -> Matrix3 {
        Matrix3(a.rowX - b.rowX, a.rowY - b.rowY, a.rowZ - b.rowZ)
    }

    /// `self · otherᵀ`, row by row.
    func timesTransposed(_ other: Matrix3) -> Matrix3 {
        Matrix3(other * rowX, other * rowY, other * rowZ)
    }

    var symmetric: Matrix3 {
        let (xy, xz, yz) = (
            (rowX.y + rowY.x) / 2, (rowX.z + rowZ.x) / 2, (rowY.z + rowZ.y) / 2
        )
        return Matrix3(Vector3(rowX.x, xy, xz), Vector3(xy, rowY.y, yz), Vector3(xz, yz, rowZ.z))
    }

    var trace: Double { rowX.x + rowY.y + rowZ.z }
    static func isotropic(_ value: Double) -> Matrix3 { .diagonal(Vector3(value, value, value)) }
}
