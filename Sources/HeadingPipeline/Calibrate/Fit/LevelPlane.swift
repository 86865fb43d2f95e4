import Glibc

/// The plane in which a cloud lies that a level turn left, and its coordinates.
struct LevelPlane: Hashable {
    /// Unit, sensor frame; on the side on which the cloud lies, seen from the sensor's zero.
    let normal: Vector3
    private let alongX: Vector3
    private let alongY: Vector3
    private let middle: Vector3
    private let thickness: Double
    private let width: Double

    private static let mostThickness = 0.15

    init?(_ points: [Vector3]) {
        guard let frame = CloudFrame(points) else { return nil }
        let moments = points.reduce(Matrix3.diagonal(.zero)) {
            $0 + Matrix3(outer: frame.scaled($1), frame.scaled($1))
        }
        let spread = PrincipalAxes(moments * (1 / Double(points.count)))
        let axis = spread.axes[0]
        normal = axis.dot(frame.middle) < 0 ? -axis : axis
        alongX = spread.axes[1]
        alongY = normal.cross(alongX)
        middle = frame.middle
        thickness = max(0, spread.values[0]).squareRoot() * frame.scale
        width = max(0, spread.values[1]).squareRoot() * frame.scale
    }

    /// A full circle has a spread of 0.7 radii along either axis; noise and a little heel make it thick.
    var isFlat: Bool { width > 0 && thickness < width * Self.mostThickness * 2 }

    func intoPlane(_ point: Vector3) -> Vector3 {
        let arm = point - middle
        return Vector3(alongX.dot(arm), alongY.dot(arm), normal.dot(arm))
    }

    /// The ellipse, where it fits clearly better and is not stretched beyond belief; else the circle.
    func cloud(
        _ flat: [Vector3], _ circle: RobustFit<LevelCircle>, _ ellipse: RobustFit<LevelEllipse>?,
        expected: EarthField?
    ) -> FittedCloud {
        guard let ellipse, ellipse.residual < circle.residual * 0.8 else {
            return cloud(
                circle, centre: Vector3(circle.surface.centreX, circle.surface.centreY, 0),
                softIron: .identity, radius: circle.surface.radius, axisRatio: 1, flat, expected)
        }
        let (xx, yy, xy) = ellipse.surface.softIron
        return cloud(
            ellipse, centre: Vector3(ellipse.surface.centreX, ellipse.surface.centreY, 0),
            softIron: Matrix3(Vector3(xx, xy, 0), Vector3(xy, yy, 0), Vector3(0, 0, 1)),
            radius: ellipse.surface.radius, axisRatio: ellipse.surface.axisRatio, flat, expected)
    }

    private func cloud<Surface>(
        _ fit: RobustFit<Surface>, centre: Vector3, softIron: Matrix3, radius: Double, axisRatio: Double,
        _ flat: [Vector3], _ expected: EarthField?
    ) -> FittedCloud {
        let fromPlane = Matrix3(alongX, alongY, normal).transposed
        let inPlane = alongX * (alongX.dot(middle) + centre.x) + alongY * (alongY.dot(middle) + centre.y)
        return FittedCloud(
            shape: .levelTurn(normal: normal), hardIron: inPlane + normal * alongNormal(expected),
            softIron: fromPlane * softIron * fromPlane.transposed, strength: radius, residual: fit.residual,
            offsetUncertainty: fit.worstUncertainty(ofFirst: 2), axisRatio: axisRatio,
            coverage: Self.coverage(flat, centre),
            condition: fit.condition(
                offsets: 2, unit: Surface.self == LevelEllipse.self ? radius * radius : 1),
            samples: flat.count, outliers: fit.outliers)
    }

    /// The turn itself does not tell the hard iron along the vertical; the strength of the vertical field does,
    /// where it is known.
    private func alongNormal(_ expected: EarthField?) -> Double {
        guard let expected else { return 0 }
        return normal.dot(middle) - (expected.strength * expected.inclination.sine).magnitude.microtesla
    }

    private static func coverage(_ flat: [Vector3], _ centre: Vector3) -> Double {
        var circle = CircleCoverage(normal: Vector3(0, 0, 1))
        for point in flat { circle.add(point - centre) }
        return circle.share
    }
}
