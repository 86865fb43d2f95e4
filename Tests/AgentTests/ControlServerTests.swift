import Glibc
import HeadingPipeline
import Testing

@testable import compass_mqtt

/// A server and its client in one process, over a real socket.
@Suite("Control socket")
final class ControlServerTests {
    private let folder: String
    private let inbox: Inbox
    private let watchers: ReadingWatchers
    private let server: ControlServer
    private let store: CalibrationStore

    init() throws {
        var name = Array("/tmp/compass-control-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&name).map { String(cString: $0) })
        inbox = try Inbox()
        store = CalibrationStore(stateDirectory: folder)
        watchers = try ReadingWatchers()
        server = try #require(
            ControlServer.start(watchers, sink: inbox, store: store, stateDirectory: folder))
    }

    deinit {
        server.stop()
        for path in ["calibration/m.conf", "control.sock", "sensors.lock"] { unlink("\(folder)/\(path)") }
        rmdir(folder + "/calibration")
        rmdir(folder)
    }

    private let description = SensorDescription(
        identity: "m", name: "x", mountMatrix: nil, mode: "polled", rate: 20)

    private func reading(_ content: Reading.Content) -> Reading { Reading(at: SystemClock.now(), content) }

    private func record(_ degrees: Double) -> CalibrationRecord {
        CalibrationRecord(
            sensor: "m", time: nil, place: nil,
            content: .alignment(Alignment(offset: .degrees(degrees), uncertainty: .degrees(1))))
    }

    /// What comes within two seconds until there is enough of it.
    private func receive(_ feed: AgentFeed, until isEnough: ([Reading]) -> Bool) throws -> [Reading] {
        var all: [Reading] = []
        var batch: [Reading] = []
        let deadline = SystemClock.now() + .seconds(2)
        while !isEnough(all), SystemClock.now() < deadline {
            DescriptorWait.untilReadable(feed.descriptor, until: deadline)
            try feed.take(into: &batch)
            all += batch
        }
        return all
    }

    @Test("only owner and group may use it")
    func permissions() throws {
        var status = stat()
        #expect(stat(folder + "/control.sock", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o660)
    }

    @Test("a watcher learns what is open and what was saved for it, then gets every reading")
    func watch() throws {
        try store.add(record(3))
        watchers.take(reading(.opened(.magnetometer, description)))
        let feed = try AgentFeed(stateDirectory: folder)
        let standing = try receive(feed) { $0.count >= 2 }
        #expect(standing.count == 2)
        if case .opened(.magnetometer, let opened?) = standing[0].content { #expect(opened == description) }
        if case .stored(.magnetometer, let bytes) = standing[1].content {
            #expect(try CalibrationArchive(parsing: bytes).records == [record(3)])
        } else {
            Issue.record("\(standing)")
        }
        let sample = SensorSample(source: .magnetometer, vector: Vector3(1.25, -2, 3))
        for _ in 0..<50 { watchers.take(reading(.sample(sample))) }
        let samples = try receive(feed) { $0.count >= 50 }
        #expect(samples.count == 50)
        #expect(samples.allSatisfy { if case .sample(sample) = $0.content { true } else { false } })
    }

    @Test("saves, puts in force at once, and goes back")
    func saveAndRestore() throws {
        let feed = try AgentFeed(stateDirectory: folder)
        #expect(try feed.save(record(1)) == store.path(of: "m"))
        #expect(try feed.restore(.alignment, of: "m") == nil)
        _ = try feed.save(record(2))
        #expect(try feed.restore(.alignment, of: "m") == store.path(of: "m"))
        #expect(try store.archive(of: "m").current(.alignment) == record(1))
        var batch: [Reading] = []
        _ = inbox.takeAll(into: &batch)
        let stored = batch.compactMap { if case .stored(_, let bytes) = $0.content { bytes } else { nil } }
        #expect(stored.count == 3)
        #expect(try CalibrationArchive(parsing: try #require(stored.last)).current(.alignment) == record(1))
    }

    @Test("keeps one behind the one in force")
    func keep() throws {
        let feed = try AgentFeed(stateDirectory: folder)
        _ = try feed.save(record(1))
        _ = try feed.save(record(2), behind: true)
        #expect(try store.archive(of: "m").current(.alignment) == record(1))
        _ = try feed.restore(.alignment, of: "m")
        #expect(try store.archive(of: "m").current(.alignment) == record(2))
    }

    @Test(
        "nonsense is answered, and a client that goes away harms nothing",
        arguments: ["x", "restore x y", "save\nrubbish\n."])
    func nonsense(command: String) throws {
        let lines = ControlLines(try UnixSocket.connect(folder + "/control.sock"))
        lines.send((command + "\n").utf8)
        DescriptorWait.untilReadable(lines.descriptor, until: SystemClock.now() + .seconds(2))
        let answer = lines.receive().first.map { String(decoding: $0, as: UTF8.self) }
        #expect(answer?.hasPrefix("error ") == true)
    }

    @Test("a second server does not take a living one's socket; it takes a dead one's")
    func second() {
        #expect(ControlServer.start(watchers, sink: inbox, store: store, stateDirectory: folder) == nil)
        #expect((try? AgentFeed(stateDirectory: folder)) != nil)
    }

    @Test("agents share the sensors' lock; a calibration has it alone")
    func lock() throws {
        let first = try SensorLock(stateDirectory: folder, holder: .agent)
        let second = try SensorLock(stateDirectory: folder, holder: .agent)
        #expect(throws: Errno(EWOULDBLOCK)) {
            _ = try SensorLock(stateDirectory: self.folder, holder: .calibration)
        }
        _ = consume first
        _ = consume second
        let alone = try SensorLock(stateDirectory: folder, holder: .calibration)
        #expect(!SensorClaim(stateDirectory: folder).acquire())
        _ = consume alone
        #expect(SensorClaim(stateDirectory: folder).acquire())
    }
}
