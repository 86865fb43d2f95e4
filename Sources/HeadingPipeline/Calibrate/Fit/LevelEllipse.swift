/// The ellipse on which the raw field lies while a level sensor turns about the vertical, in the coordinates of
/// its plane (x, y; z along the plane's normal is ignored): `|shape · (point - centre)| = 1`.
struct LevelEllipse: FieldSurface, Hashable {
    var centreX: Double
    var centreY: Double
    /// The symmetric positive definite shape (xx, yy, xy).
    private let xx: Double
    private let yy: Double
    private let xy: Double
    /// Of the circle with the same area.
    let radius: Double

    init?(centreX: Double, centreY: Double, xx: Double, yy: Double, xy: Double) {
        let determinant = xx * yy - xy * xy
        guard xx > 0, determinant > 0, determinant.isFinite else { return nil }
        self.centreX = centreX
        self.centreY = centreY
        self.xx = xx
        self.yy = yy
        self.xy = xy
        radius = 1 / determinant.squareRoot()
    }

    let unknowns = 5

    func distance(of point: Vector3, gradient: inout [Double]) -> Double {
        let (armX, armY) = (point.x - centreX, point.y - centreY)
        let (mappedX, mappedY) = (xx * armX + xy * armY, xy * armX + yy * armY)
        let length = (mappedX * mappedX + mappedY * mappedY).squareRoot()
        let (normalX, normalY) = length > 0 ? (mappedX / length, mappedY / length) : (0, 0)
        // Of the radius with the shape: its inverse is (yy, xx, -xy) times the radius squared.
        let excess = -radius * (length - 1) / 2 * radius * radius
        gradient[0] = -radius * (xx * normalX + xy * normalY)
        gradient[1] = -radius * (xy * normalX + yy * normalY)
        gradient[2] = radius * normalX * armX + excess * yy
        gradient[3] = radius * normalY * armY + excess * xx
        gradient[4] = radius * (normalX * armY + normalY * armX) - 2 * excess * xy
        return radius * (length - 1)
    }

    func moved(by step: [Double]) -> LevelEllipse? {
        LevelEllipse(
            centreX: centreX + step[0], centreY: centreY + step[1], xx: xx + step[2], yy: yy + step[3],
            xy: xy + step[4])
    }

    /// Maps the ellipse onto the circle of the same area: rows and columns x, y; determinant 1.
    var softIron: (xx: Double, yy: Double, xy: Double) { (xx * radius, yy * radius, xy * radius) }

    /// The longer half axis over the shorter.
    var axisRatio: Double {
        let mean = (xx + yy) / 2
        let half = ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot()
        return (mean + half) / (mean - half)
    }
}

/// The circle that a level turn leaves where hard iron alone is at work.
struct LevelCircle: FieldSurface, Hashable {
    var centreX: Double
    var centreY: Double
    var radius: Double

    let unknowns = 3

    func distance(of point: Vector3, gradient: inout [Double]) -> Double {
        let (armX, armY) = (point.x - centreX, point.y - centreY)
        let length = (armX * armX + armY * armY).squareRoot()
        gradient[0] = length > 0 ? -armX / length : 0
        gradient[1] = length > 0 ? -armY / length : 0
        gradient[2] = -1
        return length - radius
    }

    func moved(by step: [Double]) -> LevelCircle? {
        let radius = radius + step[2]
        return radius > 0 && radius.isFinite
            ? LevelCircle(centreX: centreX + step[0], centreY: centreY + step[1], radius: radius) : nil
    }
}

extension LevelCircle {
    /// Linear least squares in the plane, for a start (Kasa 1976).
    init?(algebraic points: [Vector3]) {
        guard points.count >= 3, let frame = CloudFrame(points) else { return nil }
        var equations = NormalEquations(unknowns: 3)
        for point in points {
            let p = frame.scaled(point)
            equations.add([2 * p.x, 2 * p.y, 1], p.x * p.x + p.y * p.y)
        }
        guard let u = equations.solution() else { return nil }
        let centre = frame.unscaled(Vector3(u[0], u[1], 0))
        let square = u[2] + u[0] * u[0] + u[1] * u[1]
        guard square > 0 else { return nil }
        self.init(centreX: centre.x, centreY: centre.y, radius: square.squareRoot() * frame.scale)
    }
}

extension LevelEllipse {
    init?(_ circle: LevelCircle) {
        self.init(
            centreX: circle.centreX, centreY: circle.centreY, xx: 1 / circle.radius, yy: 1 / circle.radius,
            xy: 0)
    }
}
