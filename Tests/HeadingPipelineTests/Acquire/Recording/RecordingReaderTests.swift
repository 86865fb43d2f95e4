import HeadingPipeline
import Testing

@Suite("A recording")
struct RecordingReaderTests {
    private let readings: [Reading] = (0..<50).map { index in
        let sample = SensorSample(source: .magnetometer, vector: Vector3(Double(index), 0.1, -2))
        return Reading(at: Instant(nanoseconds: Int64(index) * 50_000_000), .sample(sample))
    }

    @Test("is the same in whatever pieces it comes", arguments: [1, 2, 7, 64, 1000, 1_000_000])
    func pieces(step: Int) throws {
        let content = try Recordings.read(Recordings.bytes(readings), by: step)
        #expect(content.readings == readings)
        #expect(content.refused.isEmpty && !content.isCutOff)
    }

    @Test("gives back the settings that it was made under, but nothing of the broker")
    func settings() throws {
        var settings = Settings()
        settings.agent.id = "boat"
        settings.agent.name = " #1 \"Möwe\" "
        settings.magnetometer.hardIron = Vector3(1.5, -2.25, 1000)
        settings.heading.declination = .degrees(14.854)
        settings.gyroscope.device = .none
        settings.mqtt.host = "broker.example"
        settings.mqtt.username = "skipper"
        settings.mqtt.passwordFile = "/etc/secret"
        let bytes = Recordings.bytes(readings, settings: settings)
        let head = try #require(try Recordings.read(bytes).head)
        #expect(head.program == "0.0.0")
        #expect(head.buildDate == UTCTime(year: 2026, month: 11, day: 1))
        let again = try Settings.load(Array(head.settings.utf8), file: "head").settings
        settings.mqtt = Settings().mqtt
        #expect(again == settings)
        let text = String(decoding: bytes, as: UTF8.self)
        for secret in ["broker.example", "skipper", "/etc/secret", "[mqtt]"] {
            #expect(!text.contains(secret))
        }
    }

    @Test("names a fault of its settings by the line that it stands in")
    func settingsFault() throws {
        let text =
            "# compass-mqtt recording 1\n# a comment\n#settings| [gps]\n#settings| port = 0\n1 clock 0\n"
        let head = try #require(try Recordings.read(Array(text.utf8)).head)
        do throws(SettingsFaults) {
            _ = try Settings.load(Array(head.settings.utf8), file: "boat.rec")
            Issue.record("is accepted")
        } catch {
            #expect(error.description.hasPrefix("boat.rec:4: gps.port: \"0\" is out of range"))
        }
    }

    @Test("that a power cut has ended gives all but the last line")
    func cutOff() throws {
        let whole = Recordings.bytes(readings)
        for missing in 1...20 {
            let content = try Recordings.read(Array(whole.dropLast(missing)))
            #expect(content.isCutOff && content.refused.isEmpty)
            #expect(content.readings == Array(readings.dropLast()))
        }
    }

    @Test("with damage in it gives the rest, and says which lines are damaged")
    func damaged() throws {
        let head = "# compass-mqtt recording 1\n"
        let long = String(repeating: "x", count: 600_000)
        let body =
            "1 clock 0\r\n\n\u{0}\u{0}\u{0}\n2 clock 0\n\(long)\n3 mag 1 2\n# 5 readings are missing here\n4 clock 0\n"
        let content = try Recordings.read(Array((head + body).utf8))
        #expect(content.readings.map(\.at.nanoseconds) == [1, 2, 4])
        #expect(content.refused.map(\.line) == [4, 6, 7])
        #expect(content.refused.map(\.fault) == [.noTime, .tooLong, .number])
    }

    @Test("leaps over no more than a day, so that a wrong time costs one line")
    func leap() throws {
        let day: Int64 = 86_400_000_000_000
        let lines = [0, day, 2 * day + 1, 2 * day, Int64.max, 5].map { "\($0) clock 0\n" }.joined()
        let content = try Recordings.read(Array(("# compass-mqtt recording 1\n" + lines).utf8))
        #expect(content.readings.map(\.at.nanoseconds) == [0, day, 2 * day, 5])
        #expect(content.refused.map(\.line) == [4, 6])
    }

    @Test(
        "is nothing else",
        arguments: [
            ("", .noRecording), ("\n", .noRecording), ("1 clock 0\n", .noRecording),
            ("# compass-mqtt\n1 clock 0\n", .noRecording), ("\n# compass-mqtt recording 1\n", .noRecording),
            ("# compass-mqtt recording 2\n", .version("2")),
            ("# compass-mqtt recording 1.0\n", .version("1.0")),
            ("\u{0}\u{1}\u{2}", .noRecording), ("# compass-mqtt recording 1", .noRecording),
        ] as [(String, RecordingRefusal)])
    func refused(text: String, refusal: RecordingRefusal) {
        #expect(throws: refusal) { try Recordings.read(Array(text.utf8)) }
    }

    @Test("never stops the program, whatever its bytes")
    func anyBytes() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let contents = RecordingLineTests.contents
        for _ in 0..<60 {
            var readings = contents.shuffled(using: &random).prefix(20).map { content in
                Reading(at: Instant(nanoseconds: .random(in: 0...20_000_000_000, using: &random)), content)
            }
            readings.sort { $0.at < $1.at }
            var bytes = Recordings.bytes(Array(readings))
            let head = bytes.count - Recordings.bytes([]).count
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                let index = bytes.count - 1 - Int.random(in: 0..<head, using: &random)
                bytes[index] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : 0x20
            }
            let content = try Recordings.read(bytes, by: .random(in: 1...500, using: &random))
            #expect(content.readings.count + content.refused.count > 0, "seed \(seed)")
            _ = Recordings.replayed(
                content.readings, Settings(), buildDate: UTCTime(year: 2026, month: 11, day: 1))
        }
        let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(throws: RecordingRefusal.self, "seed \(seed)") { try Recordings.read(noise) }
    }
}
