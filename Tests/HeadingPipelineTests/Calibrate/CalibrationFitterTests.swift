import Glibc
import HeadingPipeline
import Testing

@Suite("Calibration fit")
struct CalibrationFitterTests {
    static let plymouth = EarthField(strength: .microtesla(48.637), inclination: .degrees(65.33))

    /// Axes 1.0, 0.8, 1.2, turned by 30°, offset (40, -25, 60) µT, 400 samples, noise 0.2 µT.
    private func stretched(seed: UInt64 = 1) -> Cloud {
        var cloud = Cloud(seed: seed)
        let turn = Cloud.rotation(30, about: Vector3(1, 2, 3))
        cloud.softIron = turn * Matrix3.diagonal(Vector3(1.0, 0.8, 1.2)) * turn.transposed
        cloud.hardIron = Vector3(40, -25, 60)
        cloud.noise = 0.2
        return cloud
    }

    @Test(
        "undoes hard and soft iron to half a degree of heading everywhere",
        arguments: 1...5 as ClosedRange<UInt64>)
    func ellipsoid(seed: UInt64) {
        var cloud = stretched(seed: seed)
        let fit = CalibrationFitter().fit(cloud.sphere(400))
        #expect(fit.verdict == .good)
        #expect(fit.coverage > 0.95)
        for degrees in stride(from: 0.0, to: 360, by: 5) {
            for (roll, pitch) in [(0.0, 0.0), (30, 0), (0, 20), (-25, -10)] {
                let body = Body(heading: degrees, roll: roll, pitch: pitch)
                let raw = cloud.softIron * body.field() + cloud.hardIron
                #expect(
                    abs(heading(fit.calibration.corrected(raw), body) - degrees).remainder(dividingBy: 360)
                        .magnitude < 0.5)
            }
        }
    }

    /// The heading of a field in the body frame, with the body's true attitude.
    private func heading(_ field: Vector3, _ body: Body) -> Double {
        var level = body
        level.heading = 0
        let north = level.turned(Vector3(1, 0, 0))
        let east = level.turned(Vector3(0, 1, 0))
        return atan2(-field.dot(east), field.dot(north)) * 180 / .pi
    }

    @Test("finds a sphere's noise as the residual")
    func sphereResidual() {
        var cloud = Cloud()
        cloud.noise = 0.3
        let fit = CalibrationFitter().fit(cloud.sphere(1000))
        #expect(abs(fit.residual.microtesla - 0.3) < 0.05)
        #expect(fit.isUsable)
    }

    @Test(
        "half a sphere is insufficient, whichever half", arguments: 1...4 as ClosedRange<UInt64>,
        [24, 100, 1000])
    func halfSphere(seed: UInt64, count: Int) {
        var cloud = Cloud(seed: seed)
        cloud.noise = 0.3
        cloud.hardIron = Vector3(10, 20, -30)
        let up = cloud.direction()
        let half = (0..<count).map { _ in
            let direction = cloud.direction()
            return direction.dot(up) < 0 ? -direction : direction
        }
        let fit = CalibrationFitter().fit(cloud.samples(half))
        #expect(fit.coverage < 0.6)
        #expect(!fit.isUsable)
    }

    @Test("a thousand samples inside an arc of 60° are refused")
    func arc() {
        var cloud = Cloud()
        cloud.noise = 0.3
        let arc = (0..<1000).map { index in
            let angle = Double(index) / 1000 * .pi / 3
            return Vector3(cos(angle), sin(angle), 0)
        }
        let fit = CalibrationFitter().fit(cloud.samples(arc))
        #expect(!fit.isUsable)
    }

    @Test("no samples, too few, all the same, or on a line: insufficient, never a crash")
    func degenerate() {
        let same = CalibrationSample(fieldMicrotesla: Vector3(20, 0, 40))
        let line = (0..<100).map { CalibrationSample(fieldMicrotesla: Vector3(Double($0), 0, 0)) }
        let broken = CalibrationSample(fieldMicrotesla: Vector3(.nan, .infinity, 0))
        for samples in [
            [], [same], Array(repeating: same, count: 200), line, Array(repeating: broken, count: 50),
        ] {
            #expect(!CalibrationFitter().fit(samples).isUsable)
        }
    }

    @Test("spikes, and a magnet that passes by, do not move the fit", arguments: [0.02, 0.05, 0.1, 0.2])
    func outliers(share: Double) {
        var cloud = stretched()
        var samples = cloud.sphere(1000)
        let spoilt = Int(1000 * share)
        for index in 0..<spoilt {
            let magnet = index % 2 == 0 ? Vector3(15, 30, -20) : cloud.direction() * 400
            samples[index].fieldMicrotesla += magnet
        }
        let fit = CalibrationFitter().fit(samples)
        #expect((fit.calibration.hardIron - cloud.hardIron).length < 0.3)
        #expect(abs(fit.outliers - spoilt) <= spoilt / 5 + 5)
    }

    @Test("sets the scale from the strength that is expected here")
    func scale() {
        var cloud = Cloud()
        cloud.softIron = .diagonal(Vector3(1.3, 1.3, 1.3))
        cloud.strength = Self.plymouth.strength.microtesla
        cloud.noise = 0.2
        let fit = CalibrationFitter(expected: Self.plymouth).fit(cloud.sphere(500))
        #expect(abs(fit.strength.microtesla - 48.637) < 1e-6)
        #expect(abs((fit.scale ?? 0) * 1.3 - 1) < 0.005)
        let corrected = fit.calibration.corrected(cloud.softIron * Vector3(0, 48.637, 0))
        #expect(abs(corrected.length - 48.637) < 0.1)
        // 0.2 µT of 1.3 times the field, over H = 20.3 µT: 0.43°.
        #expect(abs(fit.headingError.degrees - 0.43) < 0.08)
    }

    @Test("a level turn gives the plane's hard iron and says which plane", arguments: [nil, plymouth])
    func levelTurn(expected: EarthField?) {
        var cloud = Cloud(seed: 7)
        cloud.hardIron = Vector3(12, -8, 5)
        cloud.noise = 0.3
        var turn: [CalibrationSample] = []
        for degrees in stride(from: 0.0, to: 720, by: 1) {
            let body = Body(heading: degrees, roll: 0.5 * cloud.normal(), pitch: 0.5 * cloud.normal())
            turn += cloud.samples([Settings.partsUp * body.field() / cloud.strength])
        }
        let fit = CalibrationFitter(expected: expected).fit(turn)
        guard case .levelTurn(let normal) = fit.shape else {
            Issue.record("\(fit)")
            return
        }
        #expect(fit.verdict == .usable)
        #expect(normal.z.magnitude > 0.999)
        let error = fit.calibration.hardIron - cloud.hardIron
        #expect((error.x * error.x + error.y * error.y).squareRoot() < 0.3)
        // The vertical is known only where the vertical field is.
        if expected != nil { #expect(error.z.magnitude < 1) }
    }

    /// She sails a circle in a wind from 250° and heels 9° from it; under sail a turn is never level.
    private func sailedCircle(_ cloud: inout Cloud, showsGravity: Bool) -> [CalibrationSample] {
        stride(from: 0.0, to: 720, by: 1).map { degrees in
            let heel = 9 * sin((degrees - 250) * .pi / 180) + 3 * sin(degrees * 0.73)
            let body = Body(heading: degrees, roll: heel, pitch: 1 + 2 * sin(degrees * 0.9))
            let noise = Vector3(cloud.normal(), cloud.normal(), cloud.normal())
            let force = Settings.partsUp * body.specificForce + noise * 0.2
            return CalibrationSample(
                fieldMicrotesla: cloud.raw(Settings.partsUp * body.field() / cloud.strength),
                specificForce: showsGravity ? force : nil)
        }
    }

    @Test("a heel that goes with the heading does not pass for iron where gravity tells it")
    func heeledTurn() {
        var cloud = Cloud(seed: 11)
        cloud.hardIron = Vector3(25, -18, 12)
        cloud.strength = Self.plymouth.strength.microtesla
        cloud.noise = 0.3
        let fit = CalibrationFitter(expected: Self.plymouth)
            .fit(sailedCircle(&cloud, showsGravity: true), isLevelTurn: true)
        #expect(fit.verdict == .usable)
        #expect(fit.shape.isLevelTurn)
        let error = fit.calibration.hardIron - cloud.hardIron
        #expect((error.x * error.x + error.y * error.y).squareRoot() < 0.7, "\(error)")
        #expect(error.z.magnitude < 1.5, "\(error)")
        // Where nothing tells of the heel the ellipse is another one: Z sin 9° = 6.9 µT beside H = 20.3 µT.
        let blind = CalibrationFitter(expected: Self.plymouth)
            .fit(sailedCircle(&cloud, showsGravity: false), isLevelTurn: true)
        #expect(blind.axisRatio > fit.axisRatio + 0.1)
    }

    @Test("half a level turn is refused")
    func halfTurn() {
        var cloud = Cloud(seed: 7)
        cloud.noise = 0.3
        let turn = stride(from: 0.0, to: 180, by: 0.5).map { Body(heading: $0).field() / 48.637 }
        #expect(!CalibrationFitter().fit(cloud.samples(turn)).isUsable)
    }

    @Test("reports the dip, and that it is the same in every pose")
    func dip() {
        var cloud = stretched()
        let samples = (0..<400).map { _ in
            let down = cloud.direction()
            let across = down.cross(cloud.direction())
            let horizontal = across / across.length
            let field = horizontal * cos(65.33 * .pi / 180) + down * sin(65.33 * .pi / 180)
            return CalibrationSample(fieldMicrotesla: cloud.raw(field), specificForce: down * -9.81)
        }
        let fit = CalibrationFitter().fit(samples)
        #expect(abs((fit.dip?.mean.degrees ?? 0) - 65.33) < 0.2)
        #expect((fit.dip?.scatter.degrees ?? 9) < 0.6)
    }
}
