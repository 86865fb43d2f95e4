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
    /// A sensor that lies for a while, with each vessel at another moment of the same voyage.
    var lie: Lie?

    struct Lie {
        var source: Source
        var kind: SensorLie.Kind
        var duration: Double

        /// A heading counts from so many seconds after the lie has begun ...
        static let notice = 1.5
        /// ... until so many after it has ended, and from then on it must be good again.
        static let recovery = 20.0
        static let recovered = 60.0

        /// Seconds since the start: all turns and stretches of the voyage, which takes 248 s, are met.
        func start(seed: UInt64) -> Double { 20 + 10.3 * Double(seed) }
    }

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

    /// Some of the single sensors' lies that would lead to a wrong heading that looks right.
    static let lies = [
        SimulatedTrial(name: "gyroscope 0 for 3 s", lie: Lie(source: .gyroscope, kind: .zero, duration: 3)),
        SimulatedTrial(name: "gyroscope 0 for 20 s", lie: Lie(source: .gyroscope, kind: .zero, duration: 20)),
        SimulatedTrial(
            name: "gyroscope held for 20 s", lie: Lie(source: .gyroscope, kind: .held, duration: 20)),
        SimulatedTrial(
            name: "gyroscope +5 rad/s for 2 s",
            lie: Lie(source: .gyroscope, kind: .offset(Vector3(0, 0, 5)), duration: 2)),
        SimulatedTrial(
            name: "gyroscope's sign for 60 s",
            lie: Lie(
                source: .gyroscope, kind: .turned(.diagonal(Vector3(1, 1, -1))), duration: 60)),
        SimulatedTrial(
            name: "gyroscope in deg/s for 60 s",
            lie: Lie(
                source: .gyroscope, kind: .turned(.diagonal(Vector3(57.3, 57.3, 57.3))), duration: 60)),
        SimulatedTrial(
            name: "magnetometer held for 40 s", lie: Lie(source: .magnetometer, kind: .held, duration: 40)),
        SimulatedTrial(
            name: "accelerometer held for 40 s",
            lie: Lie(source: .accelerometer, kind: .held, duration: 40)),
    ]

    private static let vessels = 24
    private static let start = Instant(nanoseconds: 1_000_000_000)
    private static let launch = UTCTime(year: 2026, month: 12, day: 1)

    func score(hasGyroscope: Bool) -> Score {
        var score = Score()
        for seed in 1...Self.vessels {
            sail(seed: UInt64(seed), hasGyroscope: hasGyroscope) { score.add($0, truth: $2) }
        }
        return score
    }

    /// While a sensor lies and shortly after, and once it has said the truth again for a while.
    func scoreOfLie(_ lie: Lie, in sea: Sea) -> (lying: Score, recovered: Score) {
        var lying = Score()
        var recovered = Score()
        var trial = self
        trial.sea = sea
        for seed in 1...UInt64(Self.vessels) {
            let begin = lie.start(seed: seed)
            let end = begin + lie.duration + Lie.recovery
            trial.seconds = Int(end + Lie.recovered)
            trial.sail(seed: seed, hasGyroscope: true) { heading, at, truth in
                let seconds = (at - Self.start).seconds
                if seconds > end { recovered.add(heading, truth: truth) }
                if seconds > begin + Lie.notice, seconds <= end { lying.add(heading, truth: truth) }
            }
        }
        return (lying, recovered)
    }

    private func sail(
        seed: UInt64, hasGyroscope: Bool, _ take: (HeadingMeasurement, Instant, _ truth: Angle) -> Void
    ) {
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
                take(heading, reading.at, scenario.heading(after: reading.at - Self.start))
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
        scenario.lie = lie.map {
            SensorLie($0.source, $0.kind, start: $0.start(seed: seed), duration: $0.duration)
        }
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
