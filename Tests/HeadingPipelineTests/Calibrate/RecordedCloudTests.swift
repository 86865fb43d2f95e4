import HeadingPipeline
import Testing

/// Real clouds, against a reference fit by another program (its figures are those of each `ref.json`).
@Suite("Calibration against recorded clouds", .needsSharedData)
struct RecordedCloudTests {
    struct Reference: Sendable {
        var name: String
        var unit: FieldUnit
        var offset: Vector3
        var offsetDeviation: Vector3
        var radius: Double
        var residual: Double
    }

    /// `hard_iron_offset`, `hard_iron_bootstrap_sd`, `field_radius`, `residual_rms` of the clouds that are
    /// `well_conditioned`.
    static let wellConditioned = [
        Reference(
            name: "accmag_ck_explorer", unit: .gauss,
            offset: Vector3(0.1481041254364613, 0.38923177992872066, -0.058877381339146106),
            offsetDeviation: Vector3(0.00018584666, 0.0002078432, 0.000195847), radius: 0.30850927479411805,
            residual: 0.0038722237444218112),
        Reference(
            name: "qmc5883l_tomisuarez2", unit: .counts,
            offset: Vector3(6153.661638241708, 251.89624269334607, 3446.753985895108),
            offsetDeviation: Vector3(3.095465338362, 2.235372710494951, 3.3639972083714),
            radius: 1081.7285369691479, residual: 66.98058358506016),
        Reference(
            name: "sap6_BB", unit: .microtesla,
            offset: Vector3(-1.190663122438172, 0.6981337134108083, 7.0857266533736185),
            offsetDeviation: Vector3(0.0234690452, 0.1252817928, 0.0172521512),
            radius: 43.361989941359035, residual: 0.03940961132239355),
        Reference(
            name: "sap6_CF", unit: .microtesla,
            offset: Vector3(0.7391443945218023, -3.6215588180655773, -15.203077390244239),
            offsetDeviation: Vector3(0.0247650184, 0.0716380146, 0.017152361), radius: 43.36071115995378,
            residual: 0.03407654853389023),
        Reference(
            name: "sap6_FG", unit: .microtesla,
            offset: Vector3(1.1785364529500444, 8.766738180113224, 33.78307690970763),
            offsetDeviation: Vector3(0.0450270578, 0.128147972, 0.0280597335), radius: 44.65313388094371,
            residual: 0.05981254783545234),
    ]

    private func cloud(_ name: String, _ unit: FieldUnit) throws -> CloudFile {
        CloudFile(try SharedData.text("mag/clouds/\(name)/raw.csv"), unit: unit)
    }

    @Test("finds the reference's offset and strength", arguments: wellConditioned)
    func offset(reference: Reference) throws {
        let factor = reference.unit.inMicrotesla
        let cloud = try cloud(reference.name, reference.unit)
        let fit = CalibrationFitter().fit(cloud.samples)
        #expect(fit.isUsable, "\(fit.verdict)")
        #expect(fit.shape == .ellipsoid)
        let error = fit.calibration.hardIron - reference.offset * factor
        for axis: any KeyPath<Vector3, Double> & Sendable in [\.x, \.y, \.z] {
            let allowed = max(3 * reference.offsetDeviation[keyPath: axis], 0.01 * reference.radius) * factor
            #expect(abs(error[keyPath: axis]) <= allowed)
        }
        #expect(abs(fit.strength.microtesla / (reference.radius * factor) - 1) < 0.01)
        #expect(scatter(fit, cloud.samples) <= 1.1 * reference.residual * factor)
    }

    /// Of the calibrated strength over all samples, the outliers too.
    private func scatter(_ fit: CalibrationFit, _ samples: [CalibrationSample]) -> Double {
        let strengths = samples.map { fit.calibration.corrected($0.fieldMicrotesla).length }
        let mean = strengths.reduce(0, +) / Double(strengths.count)
        return (strengths.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(strengths.count))
            .squareRoot()
    }

    @Test("refuses the cloud that covers half of the sphere")
    func halfCloud() throws {
        let fit = CalibrationFitter().fit(try cloud("broad_36_cloud", .microtesla).samples)
        guard case .insufficient(let missing) = fit.verdict else {
            Issue.record("it was accepted")
            return
        }
        #expect(missing.contains { if case .coverage = $0 { true } else { false } })
    }
}
