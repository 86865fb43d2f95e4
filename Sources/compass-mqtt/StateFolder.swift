import Glibc
import HeadingPipeline

/// The agent's state folder, held against other agents as long as this one runs. The kernel lets go of the lock when
/// the process ends, however it ends.
struct StateFolder: ~Copyable {
    let path: String
    /// Another agent keeps its things here: nothing of them is taken over, and nothing is written.
    let isAnothers: Bool
    /// Why nothing can be written here; `nil`: it can.
    let fault: Errno?
    private let lock: Descriptor?

    /// Makes the folder, and the one above it, where they are missing.
    init(_ path: String) {
        self.path = path
        let isReadOnly = Self.make(path) == Errno(EROFS)
        var lock: Descriptor?
        var isAnothers = false
        do throws(Errno) { lock = try Self.hold(path) } catch { isAnothers = error.code == EWOULDBLOCK }
        self.lock = lock
        self.isAnothers = isAnothers
        fault = isReadOnly ? Errno(EROFS) : access(path, W_OK | X_OK) == 0 ? nil : Errno()
        tell()
        guard !isAnothers else { return }
        for folder in [path, path + "/calibration"] { AtomicFile.sweep(folder) }
    }

    /// Why it cannot be made; `nil`: it is there.
    private static func make(_ path: String) -> Errno? {
        if mkdir(path, 0o755) != 0 {
            let slash = path.lastIndex(of: "/") ?? path.startIndex
            guard errno == ENOENT, slash > path.startIndex else { return errno == EEXIST ? nil : Errno() }
            mkdir(String(path[..<slash]), 0o755)
            guard mkdir(path, 0o755) == 0 else { return Errno() }
        }
        Log.info("\(path): made, since there was no such state folder")
        return nil
    }

    private static func hold(_ path: String) throws(Errno) -> Descriptor {
        let file = try Descriptor.open(
            path + "/agent.lock", O_RDONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW, mode: 0o660)
        try Errno.check { flock(file.number, LOCK_EX | LOCK_NB) }
        return file
    }

    private func tell() {
        if isAnothers {
            Log.warning(
                "another agent keeps its state in \(path): this one takes over and keeps nothing; "
                    + "give each an agent.id and agent.state_dir of its own")
        } else if let fault {
            let line = "\(path): \(fault): nothing lasts a restart"
            // Whoever makes the root read-only knows it.
            if fault.code == EROFS { Log.debug(line) } else { Log.warning(line) }
        }
    }
}
