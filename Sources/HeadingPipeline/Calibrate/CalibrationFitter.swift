/// Fits what a cloud of raw field vectors can carry: an ellipsoid, a sphere, or the circle of a level turn; and
/// says when that is nothing.
package struct CalibrationFitter: Sendable {
    package var expected: EarthField?
    package var limits: CalibrationLimits

    package init(expected: EarthField? = nil, limits: CalibrationLimits = CalibrationLimits()) {
        self.expected = expected
        self.limits = limits
    }

    /// `isLevelTurn`: the vessel is known to have turned on the level, so that nothing but the circle is looked for.
    package func fit(_ samples: [CalibrationSample], isLevelTurn: Bool = false) -> CalibrationFit {
        let points = samples.map(\.fieldMicrotesla).filter(\.isFinite)
        guard points.count >= limits.fewestSamples else {
            return nothing(.tooFewSamples(points.count, needed: limits.fewestSamples), points.count)
        }
        var best = isLevelTurn ? nil : spatialFit(points)
        if best?.isUsable != true, let level = levelFit(samples, points), best == nil || level.isUsable {
            best = level
        }
        guard var best else { return nothing(.noShape, points.count) }
        best.dip = DipMeasurement(samples, best.calibration)
        return best
    }

    /// The ellipsoid where it can be believed; else the sphere where that can; else the one that tells better
    /// what is missing.
    private func spatialFit(_ points: [Vector3]) -> CalibrationFit? {
        let ellipsoid = RobustStart.ellipsoid(points).flatMap { RobustFit($0, points) }
            .map { judged(FittedCloud($0, points)) }
        if let ellipsoid, ellipsoid.isUsable { return ellipsoid }
        let sphere = RobustStart.sphere(points).flatMap { RobustFit($0, points) }
            .map { judged(FittedCloud($0, points)) }
        return sphere ?? ellipsoid
    }

    /// The offset is needed to take the heeling out, and found a little better each time that it is.
    private func levelFit(_ samples: [CalibrationSample], _ points: [Vector3]) -> CalibrationFit? {
        guard let levelled = LevelledCloud(samples) else { return levelFit(points) }
        var fit = levelFit(points) ?? levelFit(levelled.about(.zero))
        for _ in 0..<Self.levellings {
            fit = fit.flatMap { levelFit(levelled.about($0.calibration.hardIron)) ?? $0 }
        }
        return fit
    }

    private static let levellings = 5

    private func levelFit(_ points: [Vector3]) -> CalibrationFit? {
        guard let plane = LevelPlane(points), plane.isFlat else { return nil }
        let flat = points.map(plane.intoPlane)
        guard let start = LevelCircle(algebraic: flat), let circle = RobustFit(start, flat) else {
            return nil
        }
        let ellipse = LevelEllipse(circle.surface).flatMap { RobustFit($0, flat) }
        return judged(plane.cloud(flat, circle, ellipse, expected: expected))
    }

    private func nothing(_ shortcoming: Shortcoming, _ samples: Int) -> CalibrationFit {
        var cloud = FittedCloud(
            shape: .sphere, hardIron: .zero, softIron: .identity, strength: 0, residual: 0,
            offsetUncertainty: 0, axisRatio: 1, coverage: 0, condition: .infinity, samples: samples,
            outliers: 0)
        cloud.samples = samples
        var fit = judged(cloud)
        fit.verdict = .insufficient([shortcoming])
        return fit
    }

    private func judged(_ cloud: FittedCloud) -> CalibrationFit {
        let isLevel = cloud.shape.isLevelTurn
        let target = isLevel ? expected?.horizontal : expected?.strength
        let scale = target.flatMap { cloud.strength > 0 ? $0.microtesla / cloud.strength : nil }
        let factor = scale ?? 1
        let strength = FluxDensity.microtesla(cloud.strength * factor)
        let horizontal =
            expected?.horizontal ?? (isLevel ? strength : strength * EarthField.typicalInclination.cosine)
        let error = FluxDensity.microtesla(cloud.fieldError * factor)
        return CalibrationFit(
            shape: cloud.shape,
            calibration: MagneticCalibration(
                hardIron: cloud.hardIron, softIron: cloud.softIron * factor, residual: error),
            strength: strength, residual: .microtesla(cloud.residual * factor),
            headingError: .arcTangent(rise: error.si, run: horizontal.si), horizontalField: horizontal,
            offsetUncertainty: .microtesla(cloud.offsetUncertainty * factor), coverage: cloud.coverage,
            condition: cloud.condition, axisRatio: cloud.axisRatio, samples: cloud.samples,
            outliers: cloud.outliers, scale: scale, dip: nil, expected: expected,
            verdict: limits.verdict(cloud, scale: scale))
    }
}
