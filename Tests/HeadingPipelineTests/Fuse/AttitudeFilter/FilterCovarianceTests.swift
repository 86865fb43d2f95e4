import Testing

@testable import HeadingPipeline

@Suite("Covariance of the attitude filter")
struct FilterCovarianceTests {
    /// A filter at an odd attitude in an odd state.
    private func filter() -> AttitudeFilter {
        var filter = AttitudeFilter()
        filter.isStarted = true
        filter.alignment = nil
        filter.orientation = Quaternion(rotationVector: Vector3(0.3, -0.5, 1.1))
        filter.bias = Vector3(0.01, -0.02, 0.03)
        filter.disturbance = Vector3(1, -2, 0.5)
        filter.hardIron = Vector3(0.4, 0.2, -0.3)
        filter.field.reference = Vector3(20, 0, 44)
        return filter
    }

    private let reading = Vector3(12, -9, 41)

    /// R(m - h) - B - d for a filter with a wrong state.
    private func residual(_ filter: AttitudeFilter) -> Vector3 {
        filter.orientation.matrix * (reading - filter.hardIron) - filter.field.reference - filter.disturbance
    }

    @Test("what the field sees of each error is the difference that the error makes")
    func fieldJacobian() {
        let exact = filter()
        let step = 1e-6
        let rotation = exact.orientation.matrix
        for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
            // The truth differs from the estimate by the error, so the residual falls by what the error adds.
            var turned = exact
            turned.orientation = Quaternion(rotationVector: axis * step) * exact.orientation
            // Linear in the error about the reading in the earth frame; the filter puts B in its place.
            let seen = (residual(turned) - residual(exact)) / step
            let expected = axis.cross(rotation * (reading - exact.hardIron))
            #expect((seen - expected).length < 1e-3)
            var disturbed = exact
            disturbed.disturbance = exact.disturbance + axis * step
            #expect(((residual(disturbed) - residual(exact)) / step + axis).length < 1e-6)
            var iron = exact
            iron.hardIron = exact.hardIron + axis * step
            #expect(((residual(iron) - residual(exact)) / step + rotation * axis).length < 1e-6)
        }
    }

    @Test("P Hᵀ and S are the products of the covariance with H = ([B]×, 0, 1, R)")
    func innovation() throws {
        let (p, rotation) = (randomCovariance(seed: 3), filter().orientation.matrix)
        let reference = Vector3(20, 0, 44)
        let measurement = FieldInnovation(
            residual: .zero, rotation: rotation, reference: reference, variance: 0.6, p)
        let h = [
            rows(.cross(reference)), rows(Matrix3.diagonal(.zero)), rows(.identity), rows(rotation),
        ]
        let full = dense(p)
        // Row i of P Hᵀ, column r: sum over j of P[i][j] H[r][j].
        func product(_ i: Int, _ r: Int) -> Double {
            (0..<12).reduce(0.0) { $0 + full[i][$1] * h[$1 / 3][r][$1 % 3] }
        }
        let blocks = [
            measurement.attitude, measurement.bias, measurement.disturbance, measurement.hardIron,
        ].map(rows)
        for i in 0..<12 {
            for r in 0..<3 { #expect(abs(blocks[i / 3][i % 3][r] - product(i, r)) < 1e-9) }
        }
        let inverse = try #require(measurement.gain).inverse
        let s = (0..<3).map { q in
            (0..<3).map { r in
                (0..<12).reduce(q == r ? 0.6 : 0.0) { $0 + h[$1 / 3][q][$1 % 3] * product($1, r) }
            }
        }
        let identity = rows(
            inverse * Matrix3(vector(s[0]), vector(s[1]), vector(s[2])))
        for q in 0..<3 { for r in 0..<3 { #expect(abs(identity[q][r] - (q == r ? 1 : 0)) < 1e-9) } }
    }

    @Test("stays symmetric and positive under whatever comes", arguments: 1...12)
    func positive(seed: UInt64) {
        var random = SplitMix64(state: seed)
        func vector(_ size: Double) -> Vector3 {
            Vector3(random.gaussian(), random.gaussian(), random.gaussian()) * size
        }
        var filter = AttitudeFilter()
        var now = Instant(nanoseconds: 0)
        for step in 0..<3000 {
            now = now + .milliseconds(Int64.random(in: 1...60, using: &random))
            let size = step % 500 < 250 ? 0.01 : 3.0
            filter.update(rotation: vector(size), at: now)
            filter.update(specificForce: Vector3(0, 0, -1) + vector(size / 3), at: now)
            filter.update(
                fieldMicrotesla: Vector3(20, 0, 44) + vector(size * 8), isCalibrated: seed % 2 == 0, at: now)
            guard step % 50 == 0, filter.isStarted else { continue }
            #expect(isPositive(dense(filter.covariance)), "seed \(seed), step \(step)")
            let outcome = filter.outcome(at: now)
            #expect(outcome.heading.isFinite && outcome.uncertainty.isFinite, "seed \(seed), step \(step)")
        }
    }

    // MARK: Dense algebra, another way than the filter's blocks

    private func rows(_ m: Matrix3) -> [[Double]] {
        [m.rowX, m.rowY, m.rowZ].map { [$0.x, $0.y, $0.z] }
    }

    private func vector(_ values: [Double]) -> Vector3 { Vector3(values[0], values[1], values[2]) }

    private func dense(_ p: FilterCovariance) -> [[Double]] {
        let blocks = [
            [p.attitude, p.attitudeBias, p.attitudeDisturbance, p.attitudeHardIron],
            [p.attitudeBias.transposed, p.bias, p.biasDisturbance, p.biasHardIron],
            [
                p.attitudeDisturbance.transposed, p.biasDisturbance.transposed, p.disturbance,
                p.disturbanceHardIron,
            ],
            [
                p.attitudeHardIron.transposed, p.biasHardIron.transposed, p.disturbanceHardIron.transposed,
                p.hardIron,
            ],
        ].map { $0.map(rows) }
        return (0..<12).map { i in (0..<12).map { j in blocks[i / 3][j / 3][i % 3][j % 3] } }
    }

    private func randomCovariance(seed: UInt64) -> FilterCovariance {
        var random = SplitMix64(state: seed)
        let root = (0..<12).map { _ in (0..<12).map { _ in random.gaussian() } }
        func block(_ a: Int, _ b: Int) -> Matrix3 {
            func entry(_ i: Int, _ j: Int) -> Double {
                (0..<12).reduce(0.0) { $0 + root[3 * a + i][$1] * root[3 * b + j][$1] }
            }
            let rows = (0..<3).map { i in Vector3(entry(i, 0), entry(i, 1), entry(i, 2)) }
            return Matrix3(rows[0], rows[1], rows[2])
        }
        return FilterCovariance(
            attitude: block(0, 0), attitudeBias: block(0, 1), attitudeDisturbance: block(0, 2),
            attitudeHardIron: block(0, 3), bias: block(1, 1), biasDisturbance: block(1, 2),
            biasHardIron: block(1, 3), disturbance: block(2, 2), disturbanceHardIron: block(2, 3),
            hardIron: block(3, 3))
    }

    /// Whether it has a Cholesky factor, each variance scaled to 1 first.
    private func isPositive(_ p: [[Double]]) -> Bool {
        var l = p
        let scale = (0..<12).map { p[$0][$0].squareRoot() }
        guard scale.allSatisfy({ $0 > 0 && $0.isFinite }) else { return false }
        for i in 0..<12 {
            for j in 0...i {
                var sum = p[i][j] / (scale[i] * scale[j])
                for k in 0..<j { sum -= l[i][k] * l[j][k] }
                if i == j {
                    guard sum > 0 else { return false }
                    l[i][i] = sum.squareRoot()
                } else {
                    l[i][j] = sum / l[j][j]
                }
            }
        }
        return true
    }
}
