import Glibc
import Testing

@testable import HeadingPipeline

@Suite("Attitude filter")
struct AttitudeFilterTests {
    private static let degree = Double.pi / 180

    /// A body that turns at a constant rate about one of its axes, with perfect sensors at 100 Hz.
    private struct Turntable {
        var filter = AttitudeFilter()
        var now = Instant(nanoseconds: 1_000_000_000)
        var heading = 0.0
        var worst = 0.0
        var isCalibrated = true

        /// `bias` in rad/s is added to what the gyroscope says; `field` is what surrounds the body.
        mutating func turn(
            degreesPerSecond rate: Double, seconds: Double, bias: Vector3 = .zero,
            field: Vector3 = Body.plymouth, isMeasured: Bool = true
        ) {
            for _ in 0..<Int(seconds * 100) {
                now = now + .milliseconds(10)
                heading += rate / 100
                let body = Body(heading: heading)
                filter.update(rotation: Vector3(0, 0, rate * .pi / 180) + bias, at: now)
                filter.update(specificForce: body.specificForce / Vertical.gravity, at: now)
                if isMeasured {
                    filter.update(fieldMicrotesla: body.field(field), isCalibrated: isCalibrated, at: now)
                }
                guard filter.isStarted else { continue }
                worst = max(worst, abs(error))
            }
        }

        var error: Double {
            Angle.shortest(from: .degrees(heading), to: filter.outcome(at: now).heading).degrees
        }
    }

    @Test("the first field after the first force gives a heading, wide at first", arguments: [0.0, 123, 359])
    func quickStart(heading: Double) {
        var table = Turntable()
        table.heading = heading
        table.turn(degreesPerSecond: 0, seconds: 0.01)
        #expect(table.filter.isStarted)
        #expect(abs(table.error) < 1e-6)
        let first = table.filter.outcome(at: table.now).uncertainty
        table.turn(degreesPerSecond: 0, seconds: 3)
        let later = table.filter.outcome(at: table.now).uncertainty
        #expect(first.degrees > 3 && later < first)
        #expect(abs(table.error) < 0.01)
    }

    @Test("the rate of a steady turn is integrated exactly", arguments: [-90.0, 1, 45, 200])
    func propagation(rate: Double) {
        var table = Turntable()
        table.turn(degreesPerSecond: 0, seconds: 2)
        table.turn(degreesPerSecond: rate, seconds: 4, isMeasured: false)
        // Half a step of rest goes into the first step of the turn: rate · 5 ms.
        #expect(abs(table.error) < abs(rate) * 0.005 + 0.05)
    }

    @Test("a cone of constant half angle, read as block means, comes back to where it began")
    func coning() {
        // The body's z axis circles about the vertical with half angle 5° at 2 Hz (Savage 1998, eq. 3-12): the rate is
        // Ω (-sin a cos Ωt, -sin a sin Ωt, 1 - cos a); its block means are known in closed form.
        let (half, rate) = (5 * Self.degree, 4 * Double.pi)
        var filter = AttitudeFilter()
        filter.sampling = .blockMean
        filter.isStarted = true
        filter.alignment = nil
        let step = 0.035
        func cone(_ t: Double) -> Quaternion {
            Quaternion(
                w: cos(half / 2), v: Vector3(sin(half / 2) * sin(rate * t), -sin(half / 2) * cos(rate * t), 0)
            )
        }
        // A body that follows cone(t): ω = 2 q* ∘ q̇.
        func bodyRate(_ t: Double) -> Vector3 {
            let h = 1e-6
            let (a, b) = (cone(t - h), cone(t + h))
            let turn = Quaternion(w: a.w, v: -a.v) * b
            return turn.v * (1 / h)
        }
        filter.orientation = cone(0.5 * step)
        var now = Instant(nanoseconds: 0)
        filter.update(rotation: .zero, at: now)
        for block in 1...2000 {
            let begin = (Double(block) - 0.5) * step
            let parts = (0..<20).map { bodyRate(begin + (Double($0) + 0.5) * step / 20) }
            now = Instant(nanoseconds: Int64(block) * 35_000_000)
            filter.update(rotation: parts.reduce(.zero, +) / 20, at: now)
        }
        let truth = cone(2000.5 * step)
        let left = Quaternion(w: truth.w, v: -truth.v) * filter.orientation
        // 70 s. Without the coning term it would have turned by some 9°.
        #expect(2 * left.v.length < 1.5 * Self.degree)
    }

    @Test("a steady slow turn of five minutes is not learnt as bias", arguments: [1.0, -1, 0.3, 3])
    func slowTurn(rate: Double) {
        var table = Turntable()
        let bias = Vector3(0.2, -0.1, 0.3) * Self.degree
        table.turn(degreesPerSecond: rate, seconds: 300, bias: bias)
        #expect(table.worst < 3)
        #expect(abs(table.filter.bias.z / Self.degree - 0.3) < 0.1)
    }

    @Test("nor without a calibration", arguments: [1.0, -1])
    func slowTurnUncalibrated(rate: Double) {
        var table = Turntable(isCalibrated: false)
        let bias = Vector3(0.2, -0.1, 0.3) * Self.degree
        table.turn(degreesPerSecond: rate, seconds: 300, bias: bias)
        #expect(table.worst < 3)
    }

    @Test("the gyroscope's bias is learnt at rest")
    func restBias() {
        var table = Turntable()
        let bias = Vector3(0.3, -0.4, 0.5) * Self.degree
        table.turn(degreesPerSecond: 0, seconds: 30, bias: bias)
        #expect((table.filter.bias - bias).length < 0.05 * Self.degree)
    }

    @Test(
        "15 µT for 20 s move the heading by less than is stated, and it is back afterwards",
        arguments: [0.0, 5])
    func disturbance(rate: Double) {
        var table = Turntable()
        table.turn(degreesPerSecond: rate, seconds: 60)
        table.worst = 0
        table.turn(degreesPerSecond: rate, seconds: 20, field: Body.plymouth + Vector3(0, 15, 0))
        let stated = table.filter.outcome(at: table.now).uncertainty.degrees * 1.96
        #expect(table.filter.isDisturbed)
        #expect(table.worst < stated)
        table.turn(degreesPerSecond: rate, seconds: 20)
        #expect(!table.filter.isDisturbed)
        #expect(abs(table.error) < 3)
    }

    @Test("after a gap in the gyroscope's readings it starts afresh")
    func gap() {
        var table = Turntable()
        table.turn(degreesPerSecond: 0, seconds: 3)
        table.now = table.now + .seconds(5)
        table.heading = 200
        table.turn(degreesPerSecond: 0, seconds: 1)
        #expect(abs(table.error) < 0.01)
    }
}
