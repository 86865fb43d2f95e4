import Glibc

/// The ellipsoid on which hard and soft iron put the raw field: `|shape · (point - centre)| = 1`, with a
/// symmetric positive definite shape.
struct EllipsoidSurface: FieldSurface, Hashable {
    var centre: Vector3
    private(set) var shape: Matrix3
    private let inverse: Matrix3
    /// Of the sphere with the same volume.
    let radius: Double

    init?(centre: Vector3, shape: Matrix3) {
        guard centre.isFinite, shape.isFinite, let inverse = shape.inverse,
            let least = PrincipalAxes(shape).values.first, least > 0
        else { return nil }
        self.centre = centre
        self.shape = shape
        self.inverse = inverse
        radius = 1 / cbrt(shape.determinant)
    }

    /// Maps the ellipsoid onto the sphere of the same volume: determinant 1.
    var softIron: Matrix3 { shape * radius }

    /// The longest half axis over the shortest.
    var axisRatio: Double {
        let values = PrincipalAxes(shape).values
        return values[2] / values[0]
    }

    let unknowns = 9

    /// Of the point's length after the mapping onto the sphere of the same volume, so that neither swelling
    /// nor shrinking gains anything.
    func distance(of point: Vector3, gradient: inout [Double]) -> Double {
        let arm = point - centre
        let mapped = shape * arm
        let length = mapped.length
        let normal = length > 0 ? mapped / length : .zero
        let toCentre = shape * normal * -radius
        let excess = -radius * (length - 1) / 3
        gradient[0] = toCentre.x
        gradient[1] = toCentre.y
        gradient[2] = toCentre.z
        gradient[3] = radius * normal.x * arm.x + excess * inverse.rowX.x
        gradient[4] = radius * normal.y * arm.y + excess * inverse.rowY.y
        gradient[5] = radius * normal.z * arm.z + excess * inverse.rowZ.z
        gradient[6] = radius * (normal.x * arm.y + normal.y * arm.x) + 2 * excess * inverse.rowX.y
        gradient[7] = radius * (normal.x * arm.z + normal.z * arm.x) + 2 * excess * inverse.rowX.z
        gradient[8] = radius * (normal.y * arm.z + normal.z * arm.y) + 2 * excess * inverse.rowY.z
        return radius * (length - 1)
    }

    func moved(by step: [Double]) -> EllipsoidSurface? {
        let change = Matrix3(
            Vector3(step[3], step[6], step[7]), Vector3(step[6], step[4], step[8]),
            Vector3(step[7], step[8], step[5]))
        return EllipsoidSurface(
            centre: centre + Vector3(step[0], step[1], step[2]), shape: shape + change)
    }
}

extension EllipsoidSurface {
    /// The algebraic fit, for a start: linear least squares for a quadric whose three squares have coefficients
    /// with the sum 3 (Li & Griffiths 2004). `nil` where the best quadric is no ellipsoid.
    init?(algebraic points: [Vector3]) {
        guard points.count >= 9, let frame = CloudFrame(points) else { return nil }
        var equations = NormalEquations(unknowns: 9)
        for point in points {
            let p = frame.scaled(point)
            let (xx, yy, zz) = (p.x * p.x, p.y * p.y, p.z * p.z)
            equations.add(
                [
                    xx + yy - 2 * zz, xx + zz - 2 * yy, 2 * p.x * p.y, 2 * p.x * p.z, 2 * p.y * p.z,
                    2 * p.x, 2 * p.y, 2 * p.z, 1,
                ], xx + yy + zz)
        }
        guard let u = equations.solution() else { return nil }
        let quadric = Matrix3(
            Vector3(1 - u[0] - u[1], -u[2], -u[3]), Vector3(-u[2], 1 - u[0] + 2 * u[1], -u[4]),
            Vector3(-u[3], -u[4], 1 + 2 * u[0] - u[1]))
        guard let inverse = quadric.inverse else { return nil }
        let centre = inverse * Vector3(u[5], u[6], u[7])
        let level = u[8] + centre.dot(quadric * centre)
        let axes = PrincipalAxes(quadric * (1 / level))
        guard level.isFinite, axes.values.allSatisfy({ $0 > 0 }) else { return nil }
        self.init(
            centre: frame.unscaled(centre), shape: axes.matrix { $0.squareRoot() } * (1 / frame.scale))
    }
}

/// Where a cloud lies and how large it is: fits are done in units of its size about its middle, so that nothing
/// depends on the unit.
struct CloudFrame {
    let middle: Vector3
    let scale: Double

    init?(_ points: [Vector3]) {
        guard !points.isEmpty else { return nil }
        let middle = points.reduce(.zero, +) / Double(points.count)
        let square = points.reduce(0) { $0 + ($1 - middle).lengthSquared } / Double(points.count)
        guard square > 0, square.isFinite else { return nil }
        self.middle = middle
        scale = square.squareRoot()
    }

    func scaled(_ point: Vector3) -> Vector3 { (point - middle) / scale }
    func unscaled(_ point: Vector3) -> Vector3 { point * scale + middle }
}
