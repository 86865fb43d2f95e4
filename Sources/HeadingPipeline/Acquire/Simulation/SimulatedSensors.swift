/// What the simulated vessel's magnetometer, accelerometer and gyroscope say, each in its own frame.
struct SimulatedSensors: Sendable {
    private let scenario: SimulationScenario
    private let motion: VesselMotion
    /// (magnetic north, magnetic east, down) in microtesla.
    private let earthField: Vector3

    init(_ scenario: SimulationScenario, _ motion: VesselMotion) {
        self.scenario = scenario
        self.motion = motion
        earthField = Vector3(scenario.field.horizontal.microtesla, 0, scenario.field.down.microtesla)
    }

    /// `nil` where the vessel has no such sensor.
    func vector(_ source: Source, at seconds: Double, noise: inout SeededNoise) -> Vector3? {
        guard let lie = scenario.lie, lie.isTold(by: source, at: seconds) else {
            return honestVector(source, at: seconds, noise: &noise)
        }
        switch lie.kind {
        case .held:
            // With the same noise each time it is the same vector.
            var frozenNoise = SeededNoise(seed: scenario.seed)
            return honestVector(source, at: lie.start, noise: &frozenNoise)
        case .zero: return honestVector(source, at: seconds, noise: &noise).map { _ in .zero }
        case .offset(let offset): return honestVector(source, at: seconds, noise: &noise).map { $0 + offset }
        case .turned(let matrix): return honestVector(source, at: seconds, noise: &noise).map { matrix * $0 }
        }
    }

    private func honestVector(_ source: Source, at seconds: Double, noise: inout SeededNoise) -> Vector3? {
        guard let sensor = scenario.sensor(source) else { return nil }
        let intoSensorFrame = sensor.mounting.transposed  // A rotation's inverse.
        switch source {
        case .magnetometer:
            let field = intoSensorFrame * field(at: seconds)
            return scenario.softIron * field + scenario.hardIron + noisy(0.3, &noise)
        case .accelerometer: return intoSensorFrame * specificForce(at: seconds) + noisy(0.03, &noise)
        case .gyroscope:
            return intoSensorFrame * (motion.rotation(at: seconds) + scenario.gyroscopeBias)
                + noisy(0.002, &noise)
        case .gps: return nil
        }
    }

    private func noisy(_ deviation: Double, _ noise: inout SeededNoise) -> Vector3 {
        scenario.hasNoise ? noise.vector(deviation) : .zero
    }

    private func field(at seconds: Double) -> Vector3 {
        let passing = scenario.passing?.field(at: seconds) ?? .zero
        return motion.attitude(at: seconds).intoBodyFrame * (earthField + passing)
    }

    private func specificForce(at seconds: Double) -> Vector3 {
        var attitude = motion.attitude(at: seconds)
        attitude.heading = attitude.heading + scenario.field.declination
        let gravity = Vector3(0, 0, 9.80665)
        return attitude.intoBodyFrame * (motion.acceleration(at: seconds) - gravity)
    }
}

extension SimulationScenario {
    fileprivate func sensor(_ source: Source) -> Sensor? {
        switch source {
        case .magnetometer: magnetometer
        case .accelerometer: accelerometer
        case .gyroscope: gyroscope
        case .gps: nil
        }
    }

    /// Readings a second; `nil` where there is no such source.
    func rate(of source: Source) -> Double? {
        source == .gps ? (hasReceiver ? 1 : nil) : sensor(source)?.rate
    }
}
