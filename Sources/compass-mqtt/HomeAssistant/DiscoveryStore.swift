import Glibc
import HeadingPipeline

/// The record of what was announced, in the state folder.
struct DiscoveryStore {
    private let path: String
    private static let largestSize = 65_536

    init(stateDirectory: String) { path = stateDirectory + "/home-assistant" }

    /// `nil` where there is none, or none that can be understood.
    func load() -> DiscoveryRecord? {
        do throws(TextFile.Fault) {
            let bytes = try TextFile.read(path, upTo: Self.largestSize)
            if let record = DiscoveryRecord(parsing: bytes) { return record }
            Log.warning("\(path): cannot be understood; it will be made anew")
        } catch {
            if !error.isMissing { Log.warning("\(path): \(error)") }
        }
        return nil
    }

    /// `nil`: nothing is announced any more.
    func save(_ record: DiscoveryRecord?) throws(Errno) {
        if let record { return try AtomicFile.write(Array(record.text.utf8), to: path) }
        if unlink(path) != 0, errno != ENOENT { throw Errno() }
    }

    func tell(_ fault: Errno) {
        let line = "\(path): \(fault): what is gone at the next start will stay in Home Assistant"
        // Whoever makes the root read-only knows it.
        if fault.code == EROFS { Log.debug(line) } else { Log.warning(line) }
    }
}
