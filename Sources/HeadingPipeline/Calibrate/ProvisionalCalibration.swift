/// What turning has shown of a sensor that nobody has calibrated. It is refused by the same limits as every calibration,
/// so that there is none until the vessel has turned enough to make the offset observable, and it is never saved.
package struct ProvisionalCalibration: Sendable {
    package private(set) var calibration: MagneticCalibration?
    private var samples: [CalibrationSample] = []
    private var isTaken: Set<Cell> = []
    private var nextFit = ProvisionalCalibration.fewest

    /// One sample of each is kept, however long the vessel lies on one heading.
    private struct Cell: Hashable {
        var x, y, z: Int32

        /// Microtesla.
        private static let size = 3.0

        init(_ field: Vector3) {
            func index(_ value: Double) -> Int32 { Int32(max(-1e6, min(1e6, (value / Self.size).rounded()))) }
            (x, y, z) = (index(field.x), index(field.y), index(field.z))
        }
    }

    private static let fewest = 30
    private static let most = 800
    /// How much larger the cloud must be for another fit: a few milliseconds, some fifteen times in all.
    private static let growth = 1.25

    package init() {}

    /// Whether that has changed the calibration.
    package mutating func take(_ sample: CalibrationSample, expected: EarthField?) -> Bool {
        guard samples.count < Self.most, isTaken.insert(Cell(sample.fieldMicrotesla)).inserted else {
            return false
        }
        samples.append(sample)
        guard samples.count >= nextFit else { return false }
        nextFit = Int(Double(samples.count) * Self.growth)
        return fit(expected)
    }

    private mutating func fit(_ expected: EarthField?) -> Bool {
        var limits = CalibrationLimits()
        limits.believableScale = 0.5...2
        let fit = CalibrationFitter(expected: expected, limits: limits).fit(samples)
        guard fit.isUsable, isWhole(fit) else { return false }
        calibration = fit.calibration
        return true
    }

    /// A level turn tells nothing of the vertical offset, which the heading needs as soon as the vessel heels: the model's
    /// field must tell it, and gravity what the vessel's own heeling was.
    private func isWhole(_ fit: CalibrationFit) -> Bool {
        guard fit.shape.isLevelTurn else { return true }
        return fit.expected != nil && LevelledCloud(samples) != nil
    }
}
