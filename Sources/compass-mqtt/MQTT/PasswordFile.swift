import Glibc
import HeadingPipeline

/// The file with the broker's password. It is read at each connect, so that it can be changed while the agent
/// runs, and the password leaves nothing behind in memory that is ours.
struct PasswordFile {
    let path: String

    /// Calls `body` with the password as a C string.
    func withPassword<Result>(
        _ body: (UnsafePointer<CChar>) -> Result
    ) throws(SessionFault) -> Result {
        let capacity = 4096
        let password = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
        defer {
            explicit_bzero(password, capacity)
            password.deallocate()
        }
        let buffer = UnsafeMutableRawBufferPointer(start: password, count: capacity - 1)
        let count = try read(into: buffer)
        password[lengthWithoutNewline(buffer, count)] = 0
        return body(password)
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) throws(SessionFault) -> Int {
        do throws(Errno) {
            if let count = try readUnlessOpenToOthers(into: buffer) { return count }
        } catch {
            throw .settings("mqtt.password_file: cannot read \(path): \(error)")
        }
        throw .settings("mqtt.password_file: others can read \(path): run chmod 600 '\(path)'")
    }

    private func readUnlessOpenToOthers(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int? {
        let file = try Descriptor.open(path, O_RDONLY)
        var status = stat()
        try Errno.check { fstat(file.number, &status) }
        if isOpenToOthers(status.st_mode) { return nil }
        var count = 0
        while count < buffer.count {
            let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            if read == 0 { break }
            count += read
        }
        return count
    }

    /// Whether a file of this mode is refused, as others than its owner can get at it.
    func isOpenToOthers(_ mode: mode_t) -> Bool { mode & forbiddenMode != 0 }

    /// In systemd's folder of credentials the group's bits stand for an access list of one user.
    private var forbiddenMode: mode_t {
        guard let folder = getenv("CREDENTIALS_DIRECTORY") else { return 0o077 }
        return path.hasPrefix(String(cString: folder) + "/") ? 0o007 : 0o077
    }

    /// An editor ends the line; the newline is not of the password.
    private func lengthWithoutNewline(_ buffer: UnsafeMutableRawBufferPointer, _ count: Int) -> Int {
        var length = count
        while length > 0, buffer[length - 1] == UInt8(ascii: "\n") || buffer[length - 1] == UInt8(ascii: "\r")
        {
            length -= 1
        }
        return length
    }
}
