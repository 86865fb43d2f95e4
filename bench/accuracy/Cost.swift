import Glibc
import HeadingPipeline

/// What a reading costs: gyroscope, accelerometer and magnetometer at 100 Hz through the whole pipeline.
struct Cost {
    static let limit = 5.0

    private let readings: [Reading]
    private var pipeline: Pipeline

    init() {
        var scenario = SimulationScenario(
            field: SimulatedField(
                horizontal: .microtesla(20), down: .microtesla(44), declination: .zero))
        for sensor in [\SimulationScenario.magnetometer, \.accelerometer, \.gyroscope] {
            scenario[keyPath: sensor]?.rate = 100
        }
        let start = Instant(nanoseconds: 1_000_000_000)
        var vessel = SimulatedVessel(
            scenario, startingAt: start, time: UTCTime(year: 2026, month: 12, day: 1))
        var readings: [Reading] = []
        vessel.advance(to: start + .seconds(600)) { readings.append($0) }
        self.readings = readings
        var settings = Settings()
        settings.magnetometer.hardIron = .zero
        pipeline = Pipeline(settings: settings)
    }

    /// CPU time of this thread, microseconds a reading.
    mutating func measure() -> Double {
        let before = Self.cpuTime()
        var headings = 0
        for reading in readings where pipeline.take(reading).heading != nil { headings += 1 }
        let microseconds = (Self.cpuTime() - before) * 1e6 / Double(readings.count)
        return headings > 0 ? microseconds : .infinity
    }

    private static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
