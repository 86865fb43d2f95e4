import HeadingPipeline

/// A kind of voyage, sailed by many vessels: each has errors of its own, as large as its settings say.
struct SimulatedTrial {
    let name: String
    var sea = Sea.calm
    var latitude = 50.3
    var longitude = -4.2
    var passing: PassingField?
    /// Microtesla: a magnet that is on the sensor from the first moment, of which no calibration knows.
    var magnet = 0.0
    /// Microtesla of hard iron under a sensor that nobody has calibrated: what is said once turning has shown the offset counts.
    var uncalibratedIron: Double?
    var seconds = 150

    static let calm = SimulatedTrial(name: "calm")
    static let all = [
        calm,
        SimulatedTrial(name: "waves", sea: .rough),
        SimulatedTrial(name: "heeled", sea: .heeled),
        SimulatedTrial(
            name: "near iron", sea: Sea(),
            passing: PassingField(peak: Vector3(4, 14, -6), start: 50, duration: 25)),
        SimulatedTrial(name: "high latitude", sea: Sea(), latitude: 74.7, longitude: -94.9),
        SimulatedTrial(name: "magnet from the first sample", sea: Sea(), magnet: 15),
        SimulatedTrial(name: "turned, never calibrated", uncalibratedIron: 30, seconds: 600),
        SimulatedTrial(name: "  the same under sail", sea: Sea(), uncalibratedIron: 30, seconds: 600),
    ]

    private static let vessels = 24
    private static let start = Instant(nanoseconds: 1_000_000_000)
    private static let launch = UTCTime(year: 2026, month: 12, day: 1)

    func score(hasGyroscope: Bool) -> Score {
        var score = Score()
        for seed in 1...Self.vessels {
            sail(seed: UInt64(seed), hasGyroscope: hasGyroscope, &score)
        }
        return score
    }

    private func sail(seed: UInt64, hasGyroscope: Bool, _ score: inout Score) {
        var settings = Settings()
        if uncalibratedIron == nil { settings.magnetometer.hardIron = .zero }
        settings.magnetometer.calibrationResidual = .microtesla(0.5)
        var pipeline = Pipeline(settings: settings)
        guard var scenario = scenario(seed: seed, settings) else { return }
        if !hasGyroscope { scenario.gyroscope = nil }
        var vessel = SimulatedVessel(scenario, startingAt: Self.start, time: Self.launch)
        for tick in 0...(seconds * 100) {
            let now = Self.start + .milliseconds(Int64(tick) * 10)
            vessel.advance(to: now) { reading in
                guard let heading = pipeline.take(reading).heading else { return }
                let isShown = heading.magneticAccuracy < HeadingAccuracy.leastUncalibrated
                if uncalibratedIron != nil, !isShown { return }
                let truth = scenario.heading(after: reading.at - Self.start)
                let error = Angle.shortest(from: truth, to: heading.magnetic)
                score.add(error: error, stated: heading.magneticAccuracy)
            }
        }
    }

    private func scenario(seed: UInt64, _ settings: Settings) -> SimulationScenario? {
        guard let place = GeoPosition(latitude: .degrees(latitude), longitude: .degrees(longitude)) else {
            return nil
        }
        let elements = MagneticModel.wmm2025.elements(
            at: place, height: .zero, decimalYear: Self.launch.decimalYear)
        var scenario = SimulationScenario(
            field: SimulatedField(
                horizontal: elements.horizontal, down: elements.down, declination: elements.declination))
        scenario.start = place
        scenario.seed = seed
        scenario.sea = sea
        scenario.passing = passing
        scenario.draw(settings)
        var noise = SeededNoise(seed: seed &* 104_729)
        if let direction = noise.vector(1).normalized {
            scenario.hardIron += direction * (magnet + (uncalibratedIron ?? 0))
        }
        if uncalibratedIron != nil {
            scenario.helm = .circles
            let (a, b) = (noise.vector(0.03), noise.vector(0.02))
            scenario.softIron = Matrix3(
                Vector3(1 + a.x, b.x, b.y), Vector3(b.x, 1 + a.y, b.z), Vector3(b.y, b.z, 1 + a.z))
        }
        return scenario
    }
}

extension SimulationScenario {
    /// Draws what the settings say is not known, and what sensors of this class are off by.
    fileprivate mutating func draw(_ settings: Settings) {
        var noise = SeededNoise(seed: seed &* 7919)
        hardIron = noise.vector(settings.magnetometer.calibrationResidual.microtesla)
        gyroscopeBias = noise.vector(0.3 * .pi / 180)
        let alignment = Angle.degrees(noise.normal()) * settings.heading.alignmentUncertainty.degrees
        let keel = VesselAttitude(heading: alignment).intoBodyFrame
        let board = Settings.partsUp
        magnetometer?.mounting = keel * board
        gyroscope?.mounting = keel * board
        let chip = VesselAttitude(
            heading: .zero, pitch: .degrees(0.3 * noise.normal()), roll: .degrees(0.3 * noise.normal()))
        accelerometer?.mounting = keel * chip.intoBodyFrame * board
    }
}
