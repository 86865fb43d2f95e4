import Glibc
import HeadingPipeline

/// The file with the broker's password. It is read at each connect, so that it can be changed while the agent
/// runs, and the password leaves nothing behind in memory that is ours.
struct PasswordFile {
    let path: String
    /// The key of the settings that names it.
    var key = "mqtt.password_file"

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
        let outcome: Result<Int, SessionFault>
        do throws(Errno) {
            outcome = try readUnlessRefused(into: buffer)
        } catch {
            throw .settings("\(key): cannot read \(path): \(error)")
        }
        return try outcome.get()
    }

    private func readUnlessRefused(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Result<Int, SessionFault> {
        // Without O_NONBLOCK it would wait for a writer where the path is a pipe.
        let file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        let mode = try file.status().st_mode
        if let fault = TextFile.kindFault(mode) { return refused("\(path) \(fault)") }
        if isOpenToOthers(mode) { return refused("others can read \(path): run chmod 600 '\(path)'") }
        var count = 0
        while count < buffer.count {
            let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            if read == 0 { return .success(count) }
            count += read
        }
        return refused("\(path) is longer than \(buffer.count - 1) bytes")
    }

    private func refused(_ reason: String) -> Result<Int, SessionFault> {
        .failure(.settings("\(key): \(reason)"))
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
