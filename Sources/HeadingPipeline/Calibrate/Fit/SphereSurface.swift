/// The sphere on which hard iron alone puts the raw field.
struct SphereSurface: FieldSurface, Hashable {
    var centre: Vector3
    var radius: Double

    let unknowns = 4

    func distance(of point: Vector3, gradient: inout [Double]) -> Double {
        let arm = point - centre
        let length = arm.length
        let normal = length > 0 ? arm / length : .zero
        gradient[0] = -normal.x
        gradient[1] = -normal.y
        gradient[2] = -normal.z
        gradient[3] = -1
        return length - radius
    }

    func moved(by step: [Double]) -> SphereSurface? {
        let moved = SphereSurface(
            centre: centre + Vector3(step[0], step[1], step[2]), radius: radius + step[3])
        return moved.radius > 0 && moved.centre.isFinite ? moved : nil
    }
}

extension SphereSurface {
    /// Linear least squares for `2 c · p + (r² - c²) = p²`, for a start.
    init?(algebraic points: [Vector3]) {
        guard points.count >= 4, let frame = CloudFrame(points) else { return nil }
        var equations = NormalEquations(unknowns: 4)
        for point in points {
            let p = frame.scaled(point)
            equations.add([2 * p.x, 2 * p.y, 2 * p.z, 1], p.lengthSquared)
        }
        guard let u = equations.solution() else { return nil }
        let centre = Vector3(u[0], u[1], u[2])
        let square = u[3] + centre.lengthSquared
        guard square > 0 else { return nil }
        self.init(centre: frame.unscaled(centre), radius: square.squareRoot() * frame.scale)
    }
}
