import Glibc
import HeadingPipeline
import Testing

@Suite("Simulated vessel")
struct SimulatedVesselTests {
    private static let start = Instant(nanoseconds: 1_000_000_000)
    private static let field = SimulatedField(
        horizontal: .microtesla(20.301), down: .microtesla(44.198), declination: .degrees(-12))

    private func scenario(noise: Bool = false) -> SimulationScenario {
        var scenario = SimulationScenario(field: Self.field)
        scenario.hasNoise = noise
        scenario.gyroscopeBias = .zero
        return scenario
    }

    private func vessel(_ scenario: SimulationScenario) -> SimulatedVessel {
        SimulatedVessel(
            scenario, startingAt: Self.start, time: UTCTime(year: 2026, month: 12, day: 1))
    }

    /// Every sample and fix of the first minutes, with the truth of its moment.
    private func sail(
        _ scenario: SimulationScenario, seconds: Int = 300,
        _ observe: (Reading, SimulatedVessel.Truth) -> Void
    ) {
        var vessel = vessel(scenario)
        for tick in 0...(seconds * 100) {
            var readings: [Reading] = []
            vessel.advance(to: Self.start + .milliseconds(Int64(tick) * 10)) { readings.append($0) }
            for reading in readings { observe(reading, vessel.truth) }
        }
    }

    private func bodyFrame(_ truth: SimulatedVessel.Truth, declination: Angle = .zero) -> Matrix3 {
        VesselAttitude(heading: truth.magneticHeading + declination, pitch: truth.pitch, roll: truth.roll)
            .intoBodyFrame
    }

    @Test("her field, turned back by the true attitude, is the Earth's")
    func field() {
        var count = 0
        sail(scenario()) { reading, truth in
            guard case .sample(let sample) = reading.content, sample.source == .magnetometer else { return }
            let earth = bodyFrame(truth).transposed * (Settings.partsUp * sample.vector)
            if (earth - Vector3(20.301, 0, 44.198)).length > 1e-9 { Issue.record("\(reading.at)") }
            count += 1
        }
        #expect(count == 6001)
    }

    @Test("her specific force, turned back, is gravity and in the mean nothing else")
    func specificForce() {
        var sum = Vector3.zero
        var count = 0.0
        sail(scenario(), seconds: 248) { reading, truth in
            guard case .sample(let sample) = reading.content, sample.source == .accelerometer else { return }
            let turned = bodyFrame(truth, declination: Self.field.declination).transposed
            let force = turned * (Settings.partsUp * sample.vector)
            if abs(force.length - 9.80665) > 1 { Issue.record("\(force)") }
            sum += force
            count += 1
        }
        #expect((sum / count - Vector3(0, 0, -9.80665)).length < 0.01)
    }

    @Test("her gyroscope, summed up, follows the true attitude")
    func rotation() {
        var attitude: Matrix3?
        var worst = Angle.zero
        sail(scenario()) { reading, truth in
            guard case .sample(let sample) = reading.content, sample.source == .gyroscope else { return }
            let rates = Settings.partsUp * sample.vector
            #expect((rates - truth.rotation).length < 1e-12)
            // d(C)/dt = -ω × C for a matrix that turns into the body frame; a half step to the middle.
            let known = attitude ?? bodyFrame(truth)
            worst = max(worst, angle(between: known, bodyFrame(truth)))
            attitude = turned(known, by: rates, seconds: 0.02)
        }
        #expect(worst < .degrees(0.5))
    }

    private func turned(_ m: Matrix3, by rates: Vector3, seconds: Double) -> Matrix3 {
        let columns = m.transposed
        func turn(_ v: Vector3) -> Vector3 {
            let first = v - rates.cross(v) * seconds
            let second = rates.cross(rates.cross(v)) * (seconds * seconds / 2)
            return first + second
        }
        return Matrix3(turn(columns.rowX), turn(columns.rowY), turn(columns.rowZ)).transposed
    }

    private func angle(between a: Matrix3, _ b: Matrix3) -> Angle {
        let product = a * b.transposed
        let trace = product.rowX.x + product.rowY.y + product.rowZ.z
        return .radians(acos(max(-1, min(1, (trace - 1) / 2))))
    }

    @Test("her fixes lie as far apart as her speed says, on the ellipsoid")
    func distance() {
        var last: (fix: GpsFix, place: Vector3)?
        sail(scenario()) { reading, _ in
            guard case .fix(let fix) = reading.content, let position = fix.position, let speed = fix.speed
            else { return }
            let place = earthFixed(position)
            if let last, let before = last.fix.speed {
                let distance = (place - last.place).length
                let expected = (speed.metersPerSecond + before.metersPerSecond) / 2
                if abs(distance - expected) > 0.003 { Issue.record("\(distance) \(expected)") }
            }
            last = (fix, place)
        }
        #expect(last != nil)
    }

    /// WGS84, metres.
    private func earthFixed(_ position: GeoPosition) -> Vector3 {
        let (a, e2) = (6_378_137.0, 0.00669437999014)
        let (latitude, longitude) = (position.latitude.radians, position.longitude.radians)
        let normal = a / (1 - e2 * sin(latitude) * sin(latitude)).squareRoot()
        return Vector3(
            normal * cos(latitude) * cos(longitude), normal * cos(latitude) * sin(longitude),
            normal * (1 - e2) * sin(latitude))
    }

    @Test("her course is her heading, declination added, but for leeway and current")
    func course() {
        sail(scenario()) { reading, truth in
            guard case .fix(let fix) = reading.content, let course = fix.course else { return }
            let heading = truth.magneticHeading + Self.field.declination
            let drift = Angle.shortest(from: heading, to: course)
            if drift.magnitude > .degrees(8) { Issue.record("\(drift)") }
        }
    }

    @Test("she turns through north both ways, heels and pitches")
    func manoeuvres() {
        var last: Angle?
        var crossings: Set<Bool> = []
        var rolls: ClosedRange<Angle> = .zero...(.zero)
        var sides: Set<Int> = []
        sail(scenario()) { _, truth in
            let heading = truth.magneticHeading.foldedSigned
            if let last, heading.magnitude < .degrees(20), (heading < .zero) != (last < .zero) {
                crossings.insert(heading > last)
            }
            last = heading
            rolls = min(rolls.lowerBound, truth.roll)...max(rolls.upperBound, truth.roll)
            sides.insert(Int(truth.magneticHeading.degrees / 90))
            if truth.pitch.magnitude > .degrees(6) { Issue.record("\(truth.pitch)") }
        }
        #expect(crossings == [true, false])
        #expect(sides == [0, 1, 2, 3])
        #expect(rolls.lowerBound < .degrees(-8) && rolls.upperBound > .degrees(8))
    }

    @Test("her readings come in the order of time, at their rates, however she is advanced")
    func order() {
        func readings(stepMilliseconds: Int) -> [Reading] {
            var vessel = vessel(scenario(noise: true))
            var readings: [Reading] = []
            for time in stride(from: 0, through: 10_000, by: stepMilliseconds) {
                vessel.advance(to: Self.start + .milliseconds(Int64(time))) { readings.append($0) }
            }
            return readings
        }
        let once = readings(stepMilliseconds: 10_000)
        #expect(zip(once, once.dropFirst()).allSatisfy { $0.at <= $1.at })
        func samples(_ source: Source) -> Int {
            once.count {
                if case .sample(let sample) = $0.content { sample.source == source } else { false }
            }
        }
        #expect(samples(.magnetometer) == 201 && samples(.accelerometer) == 501 && samples(.gyroscope) == 501)
        #expect(once.count == 4 + 201 + 501 + 501 + 11 * 2)
        #expect(readings(stepMilliseconds: 7).prefix(1000).map(text) == once.prefix(1000).map(text))
    }

    private func text(_ reading: Reading) -> String { "\(reading.at) \(reading.content)" }

    @Test("the same seed gives the same readings, another one others")
    func determinism() {
        func readings(seed: UInt64) -> [String] {
            var scenario = scenario(noise: true)
            scenario.seed = seed
            var vessel = vessel(scenario)
            var readings: [String] = []
            vessel.advance(to: Self.start + .seconds(3)) { readings.append(text($0)) }
            return readings
        }
        #expect(readings(seed: 7) == readings(seed: 7))
        #expect(readings(seed: 7) != readings(seed: 8))
    }

    @Test("iron and mounting spoil her field as a calibration undoes it")
    func ironAndMounting() throws {
        var scenario = scenario()
        let calibration = MagneticCalibration(
            hardIron: Vector3(40, -25, 60),
            softIron: Matrix3(Vector3(1.1, 0.1, 0), Vector3(0.1, 0.9, 0.05), Vector3(0, 0.05, 1)),
            residual: .microtesla(1))
        let mounting = Matrix3(Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, -1))
        scenario.hardIron = calibration.hardIron
        scenario.softIron = try #require(calibration.softIron.inverse)
        scenario.magnetometer = .init(rate: 20, mounting: mounting)
        sail(scenario, seconds: 60) { reading, truth in
            guard case .sample(let sample) = reading.content, sample.source == .magnetometer else { return }
            let body = mounting * calibration.corrected(sample.vector)
            let earth = bodyFrame(truth).transposed * body
            if (earth - Vector3(20.301, 0, 44.198)).length > 1e-9 { Issue.record("\(earth)") }
        }
    }

    @Test("a vessel without sensors has nothing to say, and nothing is due")
    func nothing() {
        var scenario = scenario()
        scenario.magnetometer = nil
        scenario.accelerometer = nil
        scenario.gyroscope = nil
        scenario.hasReceiver = false
        var vessel = vessel(scenario)
        #expect(vessel.nextDue == nil)
        vessel.advance(to: Self.start + .seconds(10)) { Issue.record("\($0)") }
    }
}
