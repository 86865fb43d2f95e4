import HeadingPipeline
import Testing

@Suite("Replay")
struct ReplayTests {
    private let buildDate = UTCTime(year: 2026, month: 11, day: 1)

    /// By the second.
    private let commands: [Int: [OperatorCommand]] = [
        2: [.destination(Waypoint(position: place(50.4, -4.2), name: "Möwe"))],
        3: [.steer(OrderedCourse(.degrees(120)))],
        4: [.reference(.magnetic), .smoothing(.seconds(2))], 5: [.headingOffset(.degrees(-3)), .resetTrip],
        12: [.destination(nil)], 15: [.steer(nil)],
    ]

    /// A voyage with commands, in which the gyroscope is lost and the receiver falls silent, with the clock once a second.
    private func voyage(seconds: Int) -> [Reading] {
        let scenario = SimulationScenario(
            field: SimulatedField(
                horizontal: .microtesla(20.3), down: .microtesla(44.2), declination: .degrees(-0.01)))
        let start = Instant(nanoseconds: 5_000_000_000)
        let time = UTCTime(year: 2026, month: 12, day: 1)
        var vessel = SimulatedVessel(scenario, startingAt: start, time: time)
        var readings: [Reading] = []
        for second in 0..<seconds {
            let now = start + .seconds(Double(second))
            readings.append(Reading(at: now, .clock(time + (now - start))))
            vessel.advance(to: now + .milliseconds(999)) { reading in
                if second < 8 || !reading.isOf([.gyroscope, .gps]) { readings.append(reading) }
            }
            for command in commands[second] ?? [] { readings.append(Reading(at: now, .command(command))) }
            if second == 8 { readings.append(Reading(at: now, .lost(.gyroscope, reason: "unplugged"))) }
        }
        return readings
    }

    /// The agent's loop with a clock that stands still while it works: it wakes for the next reading or the next
    /// deadline, takes what has come, and does what is due.
    private func live(_ readings: [Reading], _ settings: Settings) -> [String] {
        var pipeline = Pipeline(settings: settings, buildDate: buildDate)
        var publisher = Publisher(settings: settings)
        var lines = Source.allCases.map { "compass/test/\($0.name)/status offline" }
        lines += ["reference true", "smoothing 0", "heading_offset 0"].map { "compass/test/\($0)" }
        let deliver: Publisher.Delivery = {
            lines.append("compass/test/\($0.path) " + String(decoding: $1, as: UTF8.self))
        }
        var rest = readings[...]
        while let next = rest.first {
            let now = [next.at, pipeline.deadline, publisher.due].compactMap { $0 }.min() ?? next.at
            while let reading = rest.first, reading.at <= now {
                publisher.take(pipeline.take(reading), at: reading.at, deliver: deliver)
                rest = rest.dropFirst()
            }
            if rest.isEmpty { break }
            while let change = pipeline.nextStale(at: now) {
                publisher.take(change, at: now, deliver: deliver)
            }
            publisher.flush(at: now, deliver: deliver)
        }
        return lines
    }

    @Test("of a recording says what the agent said while it was made")
    func saysTheSame() throws {
        var settings = Boat.calibrated()
        settings.agent.id = "test"
        let readings = voyage(seconds: 20)
        let said = live(readings, settings)
        let content = try Recordings.read(Recordings.bytes(readings, settings: settings))
        let recorded = try Settings.load(Array(try #require(content.head).settings.utf8), file: "head")
            .settings
        let replayed = Recordings.replayed(content.readings, recorded, buildDate: buildDate)
        #expect(replayed.count > 300)
        #expect(replayed == said)
        #expect(said.contains("compass/test/destination ") && said.contains("compass/test/steer "))
        #expect(said.contains { $0.hasPrefix("compass/test/steer {\"value\":120.0") })
        #expect(
            said.contains("compass/test/gps/status offline")
                && said.contains("compass/test/gps/status online"))
    }

    /// A source that was last heard at 1 s and is stale after 3 s goes offline at 4 s, although nobody looks before
    /// the reading at 9 s; its heading's heartbeat of 2 s was due at 3 s.
    @Test("does what falls due between two readings at its own moment")
    func dueBetween() throws {
        var settings = Boat.calibrated()
        settings.publish.heartbeat = .seconds(2)
        var replay = Replay(settings: settings, buildDate: buildDate)
        var said: [Topic] = []
        let field = SensorSample(source: .magnetometer, vector: Vector3(20, 0, -44))
        replay.take(Reading(at: Instant(nanoseconds: 1_000_000_000), .sample(field))) { topic, _ in
            said.append(topic)
        }
        said = []
        #expect(replay.due == Instant(nanoseconds: 3_000_000_000))
        let late = Reading(
            at: Instant(nanoseconds: 9_000_000_000), .clock(UTCTime(year: 2026, month: 12, day: 1)))
        replay.take(late) { topic, _ in said.append(topic) }
        #expect(said.filter { $0 == .headingMagnetic }.count == 1)
        let repeated = try #require(said.firstIndex(of: .headingMagnetic))
        let offline = try #require(said.firstIndex(of: .magnetometerStatus))
        #expect(repeated < offline)
    }
}

extension Reading {
    fileprivate func isOf(_ sources: Set<Source>) -> Bool {
        switch content {
        case .sample(let sample): sources.contains(sample.source)
        case .fix, .satellites: sources.contains(.gps)
        default: false
        }
    }
}
