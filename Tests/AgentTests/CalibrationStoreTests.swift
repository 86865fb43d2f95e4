import Glibc
import HeadingPipeline
import Testing

@testable import compass_mqtt

@Suite("Calibration store")
final class CalibrationStoreTests {
    private let folder: String
    private let store: CalibrationStore

    init() throws {
        var name = Array("/tmp/compass-store-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&name).map { String(cString: $0) })
        store = CalibrationStore(stateDirectory: folder)
    }

    deinit {
        for name in entries(folder + "/calibration") { unlink("\(folder)/calibration/\(name)") }
        rmdir(folder + "/calibration")
        rmdir(folder)
    }

    private func entries(_ path: String) -> [String] {
        guard let handle = opendir(path) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private func record(_ sensor: String, _ roll: Double) -> CalibrationRecord {
        CalibrationRecord(
            sensor: sensor, time: nil, place: nil,
            content: .level(LevelTilt(roll: .degrees(roll), pitch: .zero)))
    }

    private func write(_ bytes: [UInt8], sensor: String) throws {
        mkdir(store.folder, 0o755)
        try AtomicFile.write(bytes, to: store.path(of: sensor))
    }

    @Test("nothing saved is an empty archive")
    func nothing() throws {
        #expect(try store.bytes(of: "a") == nil)
        #expect(try store.archive(of: "a").records.isEmpty)
    }

    @Test("saves for each sensor apart, and leaves no temporary file")
    func apart() throws {
        try store.add(record("hmc5883l@1-001e", 1))
        try store.add(record("../../etc/pass wd", 2))
        #expect(entries(store.folder) == ["..%2F..%2Fetc%2Fpass%20wd.conf", "hmc5883l@1-001e.conf"])
        #expect(try store.archive(of: "hmc5883l@1-001e").records == [record("hmc5883l@1-001e", 1)])
    }

    @Test("goes back, and says when there is nothing to go back to")
    func restore() throws {
        try store.add(record("a", 1))
        #expect(try store.restore(.level, of: "a") == nil)
        try store.add(record("a", 2))
        #expect(try store.restore(.level, of: "a") == record("a", 1))
        #expect(try store.restore(.level, of: "a") == record("a", 2))
    }

    @Test(
        "an empty or garbage file is told, and set aside by the next save", arguments: [[], [0, 1, 255, 10]])
    func broken(bytes: [UInt8]) throws {
        try write(bytes, sensor: "a")
        #expect(throws: CalibrationStore.Fault.self) { try store.archive(of: "a") }
        try store.add(record("a", 3))
        #expect(try store.archive(of: "a").records == [record("a", 3)])
        #expect(entries(store.folder) == ["a.conf", "a.conf.broken"])
    }

    @Test("folders that are missing are made")
    func missingFolders() throws {
        let store = CalibrationStore(stateDirectory: folder + "/missing/deeper")
        try store.add(record("a", 1))
        #expect(try store.archive(of: "a").records == [record("a", 1)])
    }

    @Test("a folder that cannot be written is told")
    func unwritable() {
        let store = CalibrationStore(stateDirectory: "/dev/null/deeper")
        #expect(throws: CalibrationStore.Fault.self) { try store.add(record("a", 1)) }
    }
}
