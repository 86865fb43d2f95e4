import HeadingPipeline

/// Errors of a heading beside the accuracies that were stated with them.
struct Score {
    private var errors: [Double] = []
    private var stated: [Double] = []
    private var covered = 0

    mutating func add(error: Angle, stated accuracy: Angle) {
        errors.append(error.magnitude.degrees)
        stated.append(accuracy.degrees)
        if error.magnitude <= accuracy { covered += 1 }
    }

    mutating func add(_ heading: HeadingMeasurement, truth: Angle) {
        add(error: Angle.shortest(from: truth, to: heading.magnetic), stated: heading.magneticAccuracy)
    }

    var count: Int { errors.count }
    var rms: Double { (errors.reduce(0) { $0 + $1 * $1 } / Double(max(1, count))).squareRoot() }
    var p95: Double { Self.quantile(errors, 0.95) }
    var medianStated: Double { Self.quantile(stated, 0.5) }
    /// Percent of the errors that lie inside what was stated.
    var coverage: Double { 100 * Double(covered) / Double(max(1, count)) }

    private static func quantile(_ values: [Double], _ part: Double) -> Double {
        values.isEmpty ? .nan : values.sorted()[Int(Double(values.count - 1) * part)]
    }
}

/// What a score must not exceed; `nil`: anything goes.
struct Target {
    var rms: Double?
    var p95: Double?
    var medianStated: Double?
    /// Times the RMS error.
    var medianOverRMS: Double?
    var coverage = 95.0

    func missed(by score: Score) -> [String] {
        var missed: [String] = []
        func check(_ name: String, _ value: Double, _ limit: Double?) {
            if let limit, !(value <= limit) { missed.append("\(name) over \(limit)") }
        }
        check("RMS", score.rms, rms)
        check("p95", score.p95, p95)
        check("median stated", score.medianStated, medianStated)
        check("median stated / RMS", score.medianStated / score.rms, medianOverRMS)
        if !(score.coverage >= coverage) { missed.append("coverage under \(coverage)") }
        if score.count == 0 { missed.append("no headings") }
        return missed
    }
}
