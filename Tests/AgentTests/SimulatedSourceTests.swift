import HeadingPipeline
import Testing

@testable import compass_mqtt

@Suite("Simulated source")
struct SimulatedSourceTests {
    private func readings(_ settings: Settings, until enough: ([Reading]) -> Bool) throws -> [Reading] {
        let inbox = try Inbox()
        let line = try SourceLine(sink: inbox)
        let source = SimulatedSource(settings: settings)
        try Thread.start("simulated") { source.run(line) }
        defer { line.requestStop() }
        var all: [Reading] = []
        var batch: [Reading] = []
        let deadline = SystemClock.now() + .seconds(5)
        while !enough(all), SystemClock.now() < deadline {
            _ = line.wait(until: SystemClock.now() + .milliseconds(20))
            _ = inbox.takeAll(into: &batch)
            all += batch
        }
        return all
    }

    private func samples(_ readings: [Reading], _ source: Source) -> [Vector3] {
        readings.compactMap {
            guard case .sample(let sample) = $0.content, sample.source == source else { return nil }
            return sample.vector
        }
    }

    @Test("opens every source at once and then reads in real time")
    func realTime() throws {
        let start = SystemClock.now()
        let readings = try readings(Settings()) { samples($0, .magnetometer).count >= 10 }
        let opened = readings.compactMap {
            if case .opened(let source, _) = $0.content { source } else { nil }
        }
        #expect(Set(opened) == Set(Source.allCases))
        // Ten readings at 20 Hz, the first at once.
        #expect(samples(readings, .magnetometer).count >= 10)
        #expect(SystemClock.now() - start > .seconds(0.4))
        #expect(zip(readings, readings.dropFirst()).allSatisfy { $0.at <= $1.at })
        #expect(readings.contains { if case .fix = $0.content { true } else { false } })
    }

    /// Off Plymouth the field is 48.6 µT strong.
    @Test("a calibration in the settings undoes the iron that the vessel gets")
    func calibrated() throws {
        var settings = Settings()
        settings.magnetometer.hardIron = Vector3(100, -50, 30)
        let readings = try readings(settings) { samples($0, .magnetometer).count >= 5 }
        #expect(samples(readings, .magnetometer).count >= 5)
        for raw in samples(readings, .magnetometer) {
            #expect(abs((raw - Vector3(100, -50, 30)).length - 48.6) < 2)
        }
    }

    @Test("leaves out what the settings switch off")
    func without() throws {
        var settings = Settings()
        settings.accelerometer.device = .none
        settings.gyroscope.device = .none
        settings.gps.isEnabled = false
        let readings = try readings(settings) { samples($0, .magnetometer).count >= 5 }
        #expect(samples(readings, .magnetometer).count >= 5)
        #expect(samples(readings, .accelerometer).isEmpty && samples(readings, .gyroscope).isEmpty)
        #expect(!readings.contains { if case .fix = $0.content { true } else { false } })
    }
}
