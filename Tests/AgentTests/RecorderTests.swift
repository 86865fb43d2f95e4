import Glibc
import HeadingPipeline
import Testing

@testable import compass_mqtt

@Suite("Recorder")
final class RecorderTests {
    private let folder: String
    private var path: String { folder + "/recording" }
    private let head = RecordingHead(
        program: "0.0.0", buildDate: UTCTime(year: 2026, month: 11, day: 1), settings: Settings())

    init() throws {
        var name = Array("/tmp/compass-recorder-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&name).map { String(cString: $0) })
    }

    deinit {
        for name in ["recording", "recording.1", "recording.2", "recording.3"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try TextFile.read(path, upTo: 10_000_000), as: UTF8.self)
    }

    private func readings(_ path: String) throws -> [Reading] {
        var reader = RecordingReader()
        var pieces: [RecordingReader.Piece] = []
        let bytes = Array(try text(path).utf8)
        try bytes.withUnsafeBytes { try reader.consume($0, into: &pieces) }
        #expect(try !reader.finish(into: &pieces))
        return pieces.compactMap { if case .reading(let reading) = $0 { reading } else { nil } }
    }

    private func sample(_ index: Int) -> Reading {
        Reading(
            at: Instant(nanoseconds: Int64(index) * 1000),
            .sample(SensorSample(source: .gyroscope, vector: Vector3(Double(index), 0.1, 0.2))))
    }

    @Test("writes what it is given, and keeps an earlier recording")
    func writes() throws {
        for round in [1, 2] {
            let recorder = try Recorder(path, limit: 1_000_000, head: head)
            try recorder.start()
            for index in 0..<10 { recorder.take(sample(index * round)) }
            recorder.stop(within: .seconds(10))
            #expect(recorder.recordedCount == 10 && recorder.failure == nil)
        }
        #expect(try readings(path) == (0..<10).map { sample($0 * 2) })
        #expect(try readings(path + ".1") == (0..<10).map { sample($0) })
        #expect(try text(path).hasPrefix("# compass-mqtt recording 1\n# program 0.0.0\n"))
    }

    @Test("never grows beyond its limit, and each of its files is complete in itself")
    func rotates() throws {
        let limit = 40_000
        var files = try RecordingFiles(path, limit: limit, head: head)
        var sources = StandingReadings()
        var index = 0
        let opened = Reading(at: Instant(nanoseconds: 0), .opened(.gyroscope, nil))
        let stored = Reading(at: Instant(nanoseconds: 0), .stored(.gyroscope, [1, 2, 3]))
        let steer = Reading(at: Instant(nanoseconds: 0), .command(.steer(OrderedCourse(.radians(2)))))
        let trip = Reading(at: Instant(nanoseconds: 0), .trip(TripTotals(distance: .meters(1))))
        for chunkNumber in 0..<100 {
            var chunk = RecordingChunk()
            sources.append(to: &chunk.opening)
            for reading in chunkNumber == 0 ? [opened, stored, steer, trip] : [] {
                sources.take(reading, trip: TripTotals(distance: .meters(Double(chunkNumber + 1))))
                chunk.lines.appendLine(reading)
            }
            for _ in 0..<40 {
                index += 1
                sources.take(
                    sample(index), trip: TripTotals(distance: .meters(Double(chunkNumber + 1))))
                chunk.lines.appendLine(sample(index))
            }
            try files.append(chunk)
        }
        var sizes = 0
        var last = index + 1
        for name in ["recording", "recording.1", "recording.2", "recording.3"] {
            let readings = try readings("\(folder)/\(name)")
            sizes += try text("\(folder)/\(name)").utf8.count
            #expect(
                readings.prefix(3).map(\.content) == [opened.content, stored.content, steer.content])
            let samples = Array(readings.dropFirst(4))
            #expect(samples == (last - samples.count..<last).map { sample($0) })
            last -= samples.count
            // A metre with each chunk of forty.
            let meters = Double(max(1, (last - 1) / 40))
            #expect(readings[3].content == .trip(TripTotals(distance: .meters(meters))))
        }
        #expect(sizes <= limit && sizes > limit / 2)
        #expect(access(path + ".4", F_OK) != 0)
    }

    @Test("says so when it cannot begin, and leaves other files alone")
    func refuses() throws {
        #expect(throws: RecordingError.self) {
            try Recorder(self.folder + "/missing/recording", limit: 1_000_000, head: self.head)
        }
        let file = try #require(fopen(path, "w"))
        fputs("precious\n", file)
        fclose(file)
        #expect(throws: RecordingError.self) { try Recorder(self.path, limit: 1_000_000, head: self.head) }
        #expect(try text(path) == "precious\n")
        var settings = Settings()
        settings.agent.recordFile = path
        #expect(Recorder(settings: settings) == nil)
    }

    @Test("writes the agent's id and no secret into the head")
    func ownHead() throws {
        var settings = Settings()
        settings.mqtt.passwordFile = "/etc/secret"
        let text = RecordingHead(settings: settings).text
        #expect(text.contains("\n#settings| id = \(AgentIdentity.id(configured: nil))\n"))
        #expect(!text.contains("/etc/secret"))
    }
}
