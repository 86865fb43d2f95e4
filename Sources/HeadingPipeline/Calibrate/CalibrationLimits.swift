/// What is asked of a calibration. Shares are of the strength; of a level turn, of the horizontal field.
package struct CalibrationLimits: Hashable, Sendable {
    package var fewestSamples = 15
    /// Of the sphere.
    package var leastCoverage = 0.6
    package var goodCoverage = 0.8
    /// Of a level turn's circle.
    package var leastCircle = 0.85
    package var mostResidual = 0.1
    package var goodResidual = 0.02
    package var mostOffsetUncertainty = 0.03
    package var goodOffsetUncertainty = 0.01
    /// A sensor in a housing is stretched by a few per cent; one whose axes have unlike scales by more.
    package var mostAxisRatio = 3.0

    /// Expected over measured strength; further off, the readings are no microtesla. `nil`: they may be anything.
    package var believableScale: ClosedRange<Double>?

    package init() {}

    func verdict(_ cloud: FittedCloud, scale: Double?) -> CalibrationFit.Verdict {
        let residual = cloud.residual / cloud.strength
        let uncertainty = cloud.offsetUncertainty / cloud.strength
        var missing = shortcomings(cloud, residual: residual, uncertainty: uncertainty)
        if let believableScale, let scale, !believableScale.contains(scale) {
            missing.append(.scale(scale))
        }
        guard missing.isEmpty else { return .insufficient(missing) }
        // A sphere leaves the soft iron in the heading, a level turn the vertical.
        let isGood =
            cloud.shape == .ellipsoid && cloud.coverage >= goodCoverage && residual <= goodResidual
            && uncertainty <= goodOffsetUncertainty
        return isGood ? .good : .usable
    }

    private func shortcomings(
        _ cloud: FittedCloud, residual: Double, uncertainty: Double
    ) -> [Shortcoming] {
        var missing: [Shortcoming] = []
        let leastCoverage = cloud.shape.isLevelTurn ? leastCircle : leastCoverage
        if cloud.coverage < leastCoverage {
            missing.append(.coverage(cloud.coverage, needed: leastCoverage))
        }
        if !(residual <= mostResidual) {
            missing.append(.residual(share: residual, allowed: mostResidual))
        }
        if !(uncertainty <= mostOffsetUncertainty) {
            missing.append(.offsetUncertain(share: uncertainty, allowed: mostOffsetUncertainty))
        }
        if cloud.axisRatio > mostAxisRatio {
            missing.append(.stretched(axisRatio: cloud.axisRatio, allowed: mostAxisRatio))
        }
        return missing
    }
}
