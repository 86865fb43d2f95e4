import HeadingPipeline

/// The simulated vessel in real time, in the Earth's field of the place where she starts. Her sensors are
/// mounted, and spoilt by iron, just as the settings say.
struct SimulatedSource: ReadingSource {
    private let scenario: SimulationScenario

    init(settings: Settings) {
        var scenario = SimulationScenario(field: .init(horizontal: .zero, down: .zero, declination: .zero))
        scenario.field = Self.field(at: scenario.start, settings.heading.declination)
        scenario.magnetometer = Self.sensor(settings.magnetometer.sensor)
        scenario.accelerometer = Self.sensor(settings.accelerometer)
        scenario.gyroscope = Self.sensor(settings.gyroscope)
        scenario.hasReceiver = settings.gps.isEnabled
        scenario.hardIron = settings.magnetometer.hardIron ?? .zero
        scenario.softIron = settings.magnetometer.softIron?.inverse ?? .identity
        self.scenario = scenario
    }

    func run(_ line: SourceLine) {
        var vessel = SimulatedVessel(scenario, startingAt: SystemClock.now(), time: SaneClock.time())
        var wake = SourceLine.Wake.timeout
        while wake != .stopping {
            let now = SystemClock.now()
            vessel.advance(to: now) { line.deliver($0.content, at: $0.at) }
            wake = line.wait(until: vessel.nextDue ?? now + .seconds(60))
        }
    }

    private static func sensor(_ settings: Settings.Sensor) -> SimulationScenario.Sensor? {
        guard settings.device != .none else { return nil }
        let mounting = settings.axes * (settings.mountMatrix ?? .identity)
        return SimulationScenario.Sensor(rate: settings.rate, mounting: mounting)
    }

    private static func field(at position: GeoPosition, _ declination: Angle?) -> SimulatedField {
        let elements = MagneticModel.wmm2025.elements(
            at: position, height: .zero, decimalYear: SaneClock.time().decimalYear)
        return SimulatedField(
            horizontal: elements.horizontal, down: elements.down,
            declination: declination ?? elements.declination)
    }
}
