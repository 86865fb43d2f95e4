import HeadingPipeline
import Testing

@Suite("Sources that Home Assistant is shown")
struct PresenceTests {
    private static let start = Instant(nanoseconds: 5_000_000_000)

    /// What is shown after each of the steps: seconds from the start, and what has been opened by then.
    private func shown(
        _ steps: [(seconds: Double, opened: [Source])], remembered: Set<Source> = [],
        settings: Settings = Settings()
    ) -> [Set<Source>] {
        var presence = SourcePresence(settings: settings, remembered: remembered, at: Self.start)
        return steps.map { presence.look(table($0.opened), at: Self.start + .seconds($0.seconds)) }
    }

    private func table(_ opened: [Source]) -> SourceTable {
        var table = SourceTable(settings: Settings())
        let chip = SensorDescription(
            identity: "chip@1-001e", name: "chip", mountMatrix: nil, mode: "polled", rate: 20)
        for source in opened { table[source].open(chip) }
        return table
    }

    @Test("a magnetometer and a receiver are there unless they are switched off")
    func configured() {
        #expect(shown([(0, [])]) == [[.magnetometer, .gps]])
        var settings = Settings()
        settings.gps.isEnabled = false
        #expect(shown([(0, [])], remembered: [.gps], settings: settings) == [[.magnetometer]])
    }

    @Test("an accelerometer is there once it has been found, and stays though it is lost")
    func found() {
        let shown = shown([(0, []), (1, [.accelerometer]), (3600, [])])
        #expect(shown.map { $0.contains(.accelerometer) } == [false, true, true])
    }

    @Test("a gyroscope of the run before is waited for, but not for ever")
    func remembered() {
        let shown = shown([(60, []), (121, []), (200, [.gyroscope])], remembered: [.gyroscope])
        #expect(shown.map { $0.contains(.gyroscope) } == [true, false, true])
    }
}

@Suite("The record of what was announced")
struct DiscoveryRecordTests {
    @Test("is read as it was written")
    func roundTrip() {
        let record = DiscoveryRecord(
            topic: "home assistant/device/compass_x/config", present: [.magnetometer, .gps],
            components: [
                .init(key: "heading", platform: "sensor"), .init(key: "gps", platform: "binary_sensor"),
            ])
        #expect(DiscoveryRecord(parsing: Array(record.text.utf8)) == record)
    }

    @Test(
        "what is no record is none",
        arguments: ["", "\0\0", "topic", "source gps\n", "topic a\nsource sonar\n"])
    func garbage(text: String) { #expect(DiscoveryRecord(parsing: Array(text.utf8)) == nil) }
}

@Suite("A birth of Home Assistant")
struct BirthDelayTests {
    private let start = Instant(nanoseconds: 0)

    /// At which of the moments, in seconds, everything is to be sent again.
    private func answers(_ births: [(at: Double, random: Double)], asked: [Double]) -> [Double] {
        var delay = BirthDelay()
        var births = births[...]
        return asked.filter { moment in
            while let birth = births.first, birth.at <= moment {
                delay.born(at: start + .seconds(birth.at), random: birth.random)
                births = births.dropFirst()
            }
            return delay.take(at: start + .seconds(moment))
        }
    }

    @Test("is answered once, after 1 to 10 s", arguments: [(0.0, 1.0), (0.5, 5.5), (1.0, 10.0)])
    func delay(random: Double, seconds: Double) {
        #expect(answers([(0, random)], asked: [0, seconds - 0.01, seconds, 30]) == [seconds])
    }

    @Test("several are answered once, and the next one anew")
    func coalesced() {
        let answers = answers(
            [(0, 0.5), (5, 1), (60, 0)], asked: [0, 5, 5.5, 15, 60, 61, 100])
        #expect(answers == [5.5, 61])
    }
}
