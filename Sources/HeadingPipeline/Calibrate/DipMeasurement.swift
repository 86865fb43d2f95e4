import Glibc

extension DipMeasurement {
    /// Of the samples that come with gravity; `nil` where fewer than three do.
    init?(_ samples: [CalibrationSample], _ calibration: MagneticCalibration) {
        let dips = samples.compactMap { sample -> Double? in
            guard let force = sample.specificForce,
                let field = calibration.corrected(sample.fieldMicrotesla).normalized,
                let down = (-force).normalized
            else { return nil }
            return Angle.arcSine(field.dot(down)).degrees
        }
        guard dips.count >= 3 else { return nil }
        let mean = dips.reduce(0, +) / Double(dips.count)
        let square = dips.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(dips.count - 1)
        self.init(mean: .degrees(mean), scatter: .degrees(square.squareRoot()))
    }
}
