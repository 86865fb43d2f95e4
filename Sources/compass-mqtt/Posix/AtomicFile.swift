import Glibc

/// Writing a file so that after a power cut there is the old one or the new one, whole.
enum AtomicFile {
    /// Temporary file in the same folder, fsync, rename, fsync of the folder.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(Errno) {
        let temporary = "\(path).\(getpid()).new"
        do throws(Errno) {
            try writeThrough(bytes, to: temporary, mode)
            try Errno.check { rename(temporary, path) }
        } catch {
            unlink(temporary)
            throw error
        }
        try syncFolder(of: path)
    }

    /// Removes what processes that are no more have left half written.
    static func sweep(_ folder: String) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isLeftBehind(name) { unlink("\(folder)/\(name)") }
        }
    }

    /// One of this process's own number is of an earlier one.
    private static func isLeftBehind(_ name: String) -> Bool {
        let parts = name.split(separator: ".")
        guard parts.count >= 3, parts.last == "new", let process = pid_t(parts[parts.count - 2]), process > 0
        else { return false }
        return process == getpid() || (kill(process, 0) != 0 && errno == ESRCH)
    }

    private static func writeThrough(_ bytes: [UInt8], to path: String, _ mode: mode_t) throws(Errno) {
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: mode)
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { buffer in
                Result { () throws(Errno) in try file.write(buffer) }
            }
            rest = rest.dropFirst(try written.get())
        }
        try Errno.check { fsync(file.number) }
    }

    private static func syncFolder(of path: String) throws(Errno) {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let name = folder.joined(separator: "/")
        let descriptor = try Descriptor.open(name.isEmpty ? "." : name, O_RDONLY | O_DIRECTORY)
        try Errno.check { fsync(descriptor.number) }
    }
}
