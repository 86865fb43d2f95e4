/// A fitted shape before it is judged, in the cloud's own unit.
struct FittedCloud: Hashable, Sendable {
    var shape: CalibrationFit.Shape
    var hardIron: Vector3
    /// Determinant 1, so that it changes no strength on the whole.
    var softIron: Matrix3
    /// Of the calibrated field: in a plane, of its part in the plane.
    var strength: Double
    var residual: Double
    var offsetUncertainty: Double
    var axisRatio: Double
    var coverage: Double
    var condition: Double
    var samples: Int
    var outliers: Int

    /// What the fit leaves in each axis of the field, 1 sigma.
    var fieldError: Double {
        (residual * residual + offsetUncertainty * offsetUncertainty).squareRoot()
    }
}

extension FittedCloud {
    init(_ fit: RobustFit<EllipsoidSurface>, _ points: [Vector3]) {
        let surface = fit.surface
        let softIron = surface.softIron
        self.init(
            shape: .ellipsoid, hardIron: surface.centre, softIron: softIron, strength: surface.radius,
            residual: fit.residual, offsetUncertainty: fit.worstUncertainty(ofFirst: 3),
            axisRatio: surface.axisRatio,
            coverage: SphereCoverage(points.map { softIron * ($0 - surface.centre) }).share,
            condition: fit.condition(offsets: 3, unit: surface.radius * surface.radius),
            samples: points.count, outliers: fit.outliers)
    }

    init(_ fit: RobustFit<SphereSurface>, _ points: [Vector3]) {
        let centre = fit.surface.centre
        self.init(
            shape: .sphere, hardIron: centre, softIron: .identity, strength: fit.surface.radius,
            residual: fit.residual, offsetUncertainty: fit.worstUncertainty(ofFirst: 3), axisRatio: 1,
            coverage: SphereCoverage(points.map { $0 - centre }).share,
            condition: fit.condition(offsets: 3, unit: 1), samples: points.count, outliers: fit.outliers)
    }
}

extension RobustFit {
    /// Neighbours in a cloud err alike, so that more samples than this teach nothing new.
    private static var mostIndependent: Double { 300 }

    /// 1 sigma, in the direction that is known worst, of a point whose coordinates are the first unknowns.
    func worstUncertainty(ofFirst count: Int) -> Double {
        guard let covariance = equations.covariance else { return .infinity }
        var block = SquareMatrix(order: count)
        for row in 0..<count { for column in 0..<count { block[row, column] = covariance[row, column] } }
        let worst = SymmetricEigen(block).values.last ?? .infinity
        let repetition = max(1, Double(used) / Self.mostIndependent)
        return residual * (worst * repetition).squareRoot()
    }

    /// With the unknowns after the offsets in a unit that makes them comparable.
    func condition(offsets: Int, unit: Double) -> Double {
        equations.scaled { $0 < offsets ? 1 : 1 / unit }.condition
    }
}
