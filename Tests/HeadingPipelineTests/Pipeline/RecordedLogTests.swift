import HeadingPipeline
import Testing

/// BROAD trials (Laidig et al. 2021) against the optical truth. The bounds are those of the product's promise;
/// `make accuracy` prints the whole table.
@Suite("Headings on recorded logs", .enabled(if: SharedData.isPresent))
struct RecordedLogTests {
    struct Bound: Sendable {
        var file: String
        var p95: Double
        var stated: Double
    }

    static let bounds = [
        Bound(file: "broad_02_slow_rotation", p95: 4.5, stated: 6),
        Bound(file: "broad_10_slow_translation", p95: 4, stated: 6),
        Bound(file: "broad_30_stationary_magnet", p95: 6, stated: 12),
        Bound(file: "broad_36_attached_magnet_5cm", p95: 7, stated: 9),
    ]

    private struct Heading {
        var error: Double
        var stated: Double
    }

    private func headings(_ file: String, hasGyroscope: Bool) throws -> [Heading] {
        var settings = Settings()
        settings.magnetometer.hardIron = .zero
        settings.magnetometer.calibrationResidual = .microtesla(0.25)
        var pipeline = Pipeline(settings: settings)
        if hasGyroscope {
            let description = SensorDescription(
                identity: "log", name: "log", mountMatrix: nil, mode: "log", rate: 28.6, sampling: .blockMean)
            _ = pipeline.take(Reading(at: Instant(nanoseconds: 0), .opened(.gyroscope, description)))
        }
        var headings: [Heading] = []
        var isSuspected = false
        for row in try SharedData.rows("mag/logs/\(file).csv") {
            let value = row.map { Double($0) ?? .nan }
            let now = Instant(nanoseconds: 1_000_000_000) + .seconds(value[0])
            func take(_ source: Source, _ first: Int, _ factor: Double) -> Measurements {
                let vector = Vector3(value[first], value[first + 1], value[first + 2]) * factor
                return pipeline.take(Reading(at: now, .sample(SensorSample(source: source, vector: vector))))
            }
            if hasGyroscope { _ = take(.gyroscope, 1, .pi / 180) }
            _ = take(.accelerometer, 4, 9.80665)
            let new = take(.magnetometer, 7, 1).heading
            if pipeline.warnings.contains(.axesSuspect) { isSuspected = true }
            guard let new, value[17] == 1, value[16].isFinite else { continue }
            let error = Angle.shortest(from: .degrees(value[16]), to: new.magnetic).magnitude.degrees
            headings.append(Heading(error: error, stated: new.magneticAccuracy.degrees))
        }
        #expect(!isSuspected, "these sensors are mounted right")
        return headings
    }

    private func quantile(_ values: [Double], _ part: Double) -> Double {
        values.sorted()[Int(Double(values.count - 1) * part)]
    }

    @Test("are within the promised error, and the stated accuracy covers them", arguments: bounds)
    func withGyroscope(bound: Bound) throws {
        let headings = try headings(bound.file, hasGyroscope: true)
        #expect(headings.count > 2400)
        #expect(quantile(headings.map(\.error), 0.95) <= bound.p95)
        #expect(quantile(headings.map(\.stated), 0.5) <= bound.stated)
        let covered = headings.count { $0.error <= $0.stated }
        #expect(Double(covered) >= 0.95 * Double(headings.count))
    }

    @Test(
        "without a gyroscope too, with a wider promise",
        arguments: [
            ("broad_02_slow_rotation", 7.0), ("broad_10_slow_translation", 20),
            ("broad_30_stationary_magnet", 180), ("broad_36_attached_magnet_5cm", 180),
        ])
    func withoutGyroscope(file: String, rms: Double) throws {
        let headings = try headings(file, hasGyroscope: false)
        let square = headings.reduce(0) { $0 + $1.error * $1.error } / Double(headings.count)
        #expect(square.squareRoot() <= rms)
        let covered = headings.count { $0.error <= $0.stated }
        #expect(Double(covered) >= 0.95 * Double(headings.count))
    }
}
