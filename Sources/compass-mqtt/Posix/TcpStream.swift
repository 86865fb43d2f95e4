import CLinux
import Glibc

/// One TCP connection that never blocks: reading and writing say "not now" instead.
struct TcpStream: ~Copyable {
    let descriptor: Descriptor

    /// Begins to connect; whether it came about is told by ``finishConnecting()`` once it is writable.
    static func connecting(to address: SocketAddress) throws(Errno) -> TcpStream {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = try Errno.check { socket(address.family, kind, Int32(IPPROTO_TCP)) }
        let stream = TcpStream(descriptor: Descriptor(owning: number))
        let result = address.withPointer { connect(number, $0, $1) }
        // Interrupted, a connect goes on by itself like one in progress.
        let code = errno
        if result != 0, code != EINPROGRESS, code != EINTR { throw Errno(code) }
        return stream
    }

    borrowing func finishConnecting() throws(Errno) {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let number = descriptor.number
        try Errno.check { getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) }
        if code != 0 { throw Errno(code) }
    }

    enum Received: Equatable {
        case bytes(Int)
        case nothingYet, closed
    }

    borrowing func receive(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Received {
        do throws(Errno) {
            let count = try descriptor.read(into: buffer)
            return count == 0 ? .closed : .bytes(count)
        } catch {
            if error.code == EAGAIN { return .nothingYet }
            throw error
        }
    }

    /// Sends a short text whole; a peer that does not even take that is as good as gone.
    borrowing func send(_ text: String) throws(Errno) {
        let number = descriptor.number
        let bytes = Array(text.utf8)
        let sent = try Errno.check { Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
        if sent != bytes.count { throw Errno(EAGAIN) }
    }
}
