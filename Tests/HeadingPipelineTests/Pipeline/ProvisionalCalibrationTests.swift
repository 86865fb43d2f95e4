import Glibc
import HeadingPipeline
import Testing

@Suite("Without a calibration")
struct ProvisionalCalibrationTests {
    private let hardIron = Vector3(16, -14, 9)

    /// A boat whose sensor nobody has calibrated, behind 23 µT of hard iron.
    private struct Uncalibrated {
        var boat = Boat()
        let hardIron: Vector3
        var hasGyroscope = true
        var heading = 120.0
        private var noise = Cloud(seed: 3)

        init(_ hardIron: Vector3, hasFix: Bool) {
            self.hardIron = hardIron
            if hasFix { boat.fix(50.37, -4.14, time: UTCTime(year: 2026, month: 11, day: 30)) }
        }

        var accuracy: Double { boat.number("accuracy", of: .headingMagnetic) ?? .nan }

        mutating func show(_ body: Body, turning rate: Double = 0, seconds: Double = 0.05) {
            boat.wait(.seconds(seconds))
            if hasGyroscope { boat.gyroscope(body.turned(Vector3(0, 0, rate * .pi / 180))) }
            boat.accelerometer(body.specificForce)
            let error = Vector3(noise.normal(), noise.normal(), noise.normal()) * 0.3
            boat.magnetometer(body.field() + Settings.partsUp * hardIron + error)
        }

        /// On the level, at 6° a second; two circles.
        mutating func circle(degrees: Double = 720) {
            for step in 1...Int(degrees / 0.3) {
                heading += 0.3
                show(Body(heading: heading, roll: 0.5 * sin(Double(step) / 20)), turning: 6)
            }
        }

        mutating func turn(to target: Double) {
            let way = Angle.shortest(from: .degrees(heading), to: .degrees(target)).foldedPositive.degrees
            if way > 0.3 { circle(degrees: way) }
            heading = target
        }

        mutating func rest(seconds: Double = 10) {
            for _ in 0..<Int(seconds * 20) { show(Body(heading: heading)) }
        }

        var error: Double {
            let shown = boat.number("value", of: .headingMagnetic) ?? .nan
            return Angle.shortest(from: .degrees(heading), to: .degrees(shown)).magnitude.degrees
        }
    }

    @Test(
        "the accuracy is at least 60 degrees until turning has made the offset observable, then it tells how well"
    )
    func levelTurn() throws {
        var test = Uncalibrated(hardIron, hasFix: true)
        test.rest()
        #expect(test.accuracy >= 60)
        test.circle(degrees: 120)
        #expect(test.accuracy >= 60)
        test.circle()
        for heading in [30.0, 120, 210, 300] {
            test.turn(to: heading)
            test.rest()
            #expect(test.accuracy < 30)
            #expect(test.error <= test.accuracy)
            #expect(test.boat.member("quality", of: .headingMagnetic) == "\"uncalibrated\"")
        }
        #expect(
            test.boat.pipeline.warnings.contains {
                if case .uncalibrated(let known?) = $0 { known.microtesla < 3 } else { false }
            })
    }

    @Test("a level turn alone, without a place, leaves the vertical offset open")
    func withoutPlace() {
        var test = Uncalibrated(hardIron, hasFix: false)
        test.circle()
        test.rest()
        #expect(test.accuracy >= 60)
    }

    @Test("turning all ways shows the offset without a place too")
    func allWays() {
        var test = Uncalibrated(hardIron, hasFix: false)
        test.hasGyroscope = false
        for step in 0..<2400 {
            let t = Double(step)
            test.show(Body(heading: t * 7.1, roll: t * 3.3, pitch: 80 * sin(t * 0.05)))
        }
        test.heading = 75
        test.rest()
        #expect(test.accuracy < 30)
        #expect(test.error <= test.accuracy)
        #expect(test.boat.member("quality", of: .headingMagnetic) == "\"uncalibrated\"")
    }

    @Test("lying still for an hour teaches nothing")
    func moored() {
        var test = Uncalibrated(hardIron, hasFix: true)
        for _ in 0..<7200 { test.show(Body(heading: 80), seconds: 0.5) }
        #expect(test.accuracy >= 60)
    }

    @Test("when the iron on board becomes another, it is at least 60 degrees again")
    func newIron() {
        var test = Uncalibrated(hardIron, hasFix: true)
        test.circle()
        test.rest()
        #expect(test.accuracy < 30)
        var other = Uncalibrated(hardIron + Vector3(25, 10, 20), hasFix: false)
        other.boat = test.boat
        other.heading = test.heading
        other.rest(seconds: 400)
        #expect(other.accuracy >= 60)
    }

    @Test("a saved calibration takes its place at once")
    func saved() {
        var test = Uncalibrated(hardIron, hasFix: true)
        test.boat.take(
            .opened(
                .magnetometer,
                SensorDescription(identity: "a", name: "x", mountMatrix: nil, mode: "polled", rate: 20)))
        test.circle()
        let record = CalibrationRecord(
            sensor: "a", time: nil, place: nil,
            content: .magnetic(
                MagneticRecord(
                    calibration: MagneticCalibration(
                        hardIron: hardIron, softIron: .identity, residual: .microtesla(0.3)),
                    quality: .good, shape: .ellipsoid, strength: .microtesla(48.6), headingError: .degrees(1),
                    coverage: 1, samples: 400)))
        test.boat.take(.stored(.magnetometer, Array(CalibrationArchive([record]).text.utf8)))
        test.rest()
        #expect(test.boat.member("quality", of: .headingMagnetic) == "\"good\"")
        #expect(test.error < 2)
    }
}
