import Glibc
import HeadingPipeline

/// What a reading costs: gyroscope, accelerometer and magnetometer at 100 Hz, and a receiver, through the whole pipeline.
struct Cost {
    static let limit = 5.0
    /// Of the three sensors.
    static let readingsASecond = 300.0

    let readings: [Reading]
    private let settings: Settings

    init(seconds: Double) {
        var scenario = SimulationScenario(
            field: SimulatedField(
                horizontal: .microtesla(20), down: .microtesla(44), declination: .zero))
        for sensor in [\SimulationScenario.magnetometer, \.accelerometer, \.gyroscope] {
            scenario[keyPath: sensor]?.rate = Self.readingsASecond / 3
        }
        let start = Instant(nanoseconds: 1_000_000_000)
        var vessel = SimulatedVessel(
            scenario, startingAt: start, time: UTCTime(year: 2026, month: 12, day: 1))
        var readings: [Reading] = []
        vessel.advance(to: start + .seconds(seconds)) { readings.append($0) }
        self.readings = readings
        var settings = Settings()
        settings.magnetometer.hardIron = .zero
        self.settings = settings
    }

    /// CPU time of this thread, microseconds a reading, when the readings are taken so many times over.
    func measure(rounds: Int = 1) -> Double {
        let before = Self.cpuTime()
        var headings = 0
        for _ in 0..<rounds {
            var pipeline = Pipeline(settings: settings)
            for reading in readings where pipeline.take(reading).heading != nil { headings += 1 }
        }
        let microseconds = (Self.cpuTime() - before) * 1e6 / Double(readings.count * rounds)
        return headings > 0 ? microseconds : .infinity
    }

    private static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// The same readings as a recording, to standard output.
    func record() {
        let head = RecordingHead(
            program: "bench", buildDate: UTCTime(year: 2026, month: 11, day: 1), settings: settings)
        var bytes = Array(head.text.utf8)
        for reading in readings {
            bytes.appendLine(reading)
            if bytes.count > 1 << 20 { Self.write(&bytes) }
        }
        Self.write(&bytes)
    }

    private static func write(_ bytes: inout [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            guard written > 0 else { exit(1) }
            rest = rest.dropFirst(written)
        }
        bytes.removeAll(keepingCapacity: true)
    }
}
