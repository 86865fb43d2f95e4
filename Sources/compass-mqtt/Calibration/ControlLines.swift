import Glibc

/// One end of the control socket: lines come in, bytes go out, nothing blocks.
final class ControlLines {
    private let socket: Descriptor
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private(set) var isClosed = false

    /// Longer ones are no command.
    private static let longestLine = 128 * 1024
    /// What waits for a reader that is slow: more is dropped.
    private static let mostOutput = 512 * 1024

    init(_ socket: consuming Descriptor) { self.socket = socket }

    var descriptor: Int32 { socket.number }
    var hasOutput: Bool { !output.isEmpty }

    /// The lines that have come, without their ends.
    func receive() -> [[UInt8]] {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { chunk.deallocate() }
        while !isClosed {
            do throws(Errno) {
                let count = try socket.read(into: chunk)
                if count == 0 { isClosed = true }
                input += chunk[..<count]
            } catch {
                if error.code != EAGAIN { isClosed = true }
                break
            }
            if input.count > Self.longestLine * 8 { break }
        }
        guard let end = input.lastIndex(of: UInt8(ascii: "\n")) else {
            if input.count > Self.longestLine { isClosed = true }
            return []
        }
        let lines = input[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        input.removeSubrange(...end)
        return lines.map(Array.init)
    }

    /// Whole lines; `false`: they were dropped, because too much waits already.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        guard output.count + bytes.count <= Self.mostOutput else { return false }
        output += bytes
        flush()
        return true
    }

    func flush() {
        while !output.isEmpty, !isClosed {
            let count = output.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { output.removeFirst(count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 {
                if errno != EAGAIN { isClosed = true }
                return
            }
        }
    }
}
