import HeadingPipeline

/// How far a calibration has come.
struct CalibrationProgress {
    let fit: CalibrationFit
    let coverage: SphereCoverage
    /// Of a level turn, once its plane is known.
    let circle: CircleCoverage?
    /// Where the field comes from now, seen from the sensor; `nil` before the first sample.
    let current: Vector3?
    let elapsed: Interval
    let isLevelTurn: Bool
    private let expected: EarthField?
    private let sensor: SensorDescription?
    private let samples: Int

    /// So many samples on the level make two slow circles.
    private static let levelSamples = 150
    /// What is missing then would teach little.
    private static let enough = 0.9

    init(_ session: CalibrationSession, elapsed: Interval) {
        let fit = session.fit()
        self.fit = fit
        self.elapsed = elapsed
        samples = session.samples.count
        sensor = session.sensor
        expected = session.expected
        isLevelTurn = session.isLevelTurn
        let corrected = session.samples.map { fit.calibration.corrected($0.fieldMicrotesla) }
        coverage = SphereCoverage(corrected)
        circle = Self.circle(fit, corrected)
        current = session.lastFieldMicrotesla.flatMap { fit.calibration.corrected($0).normalized }
    }

    private static func circle(_ fit: CalibrationFit, _ corrected: [Vector3]) -> CircleCoverage? {
        guard case .levelTurn(let normal) = fit.shape else { return nil }
        var circle = CircleCoverage(normal: normal)
        for vector in corrected { circle.add(vector) }
        return circle
    }

    /// 0...1
    var share: Double {
        if isLevelTurn { return min(fit.coverage, Double(samples) / Double(Self.levelSamples)) }
        return min(1, fit.coverage / Self.enough, Double(samples) / 100)
    }

    var isComplete: Bool { share >= 1 && (fit.verdict == .good || isLevelTurn && fit.isUsable) }

    var hint: String {
        guard sensor != nil else { return "waiting for a magnetometer" }
        guard samples > 0 else { return "waiting for its first reading" }
        if isLevelTurn { return "turn the vessel slowly, on the level, through two full circles" }
        if share >= 1 { return fit.verdict.shortcomings.first?.text ?? "keep turning it all ways" }
        guard samples >= 30, let missing = coverage.emptiestDirection else {
            return "turn the sensor slowly all ways, as if to paint a ball"
        }
        return PoseHint(missing: missing, inclination: expected?.inclination).text
    }

    /// How good the fit is so far.
    var state: String {
        let residual =
            fit.isUsable || fit.residual > .zero ? decimalText(fit.residual.microtesla, places: 2) : "-"
        return "residual \(residual) µT, \(samples) samples, \(fit.verdict.word)"
    }

    /// All in one line, for scripts.
    var line: String { "\(decimalText(share * 100, places: 0)) % covered, \(state): \(hint)" }
}

extension CalibrationFit.Verdict {
    var word: String {
        switch self {
        case .good: "good"
        case .usable: "usable"
        case .insufficient: "insufficient"
        }
    }

    var shortcomings: [Shortcoming] {
        if case .insufficient(let missing) = self { return missing }
        return []
    }
}
