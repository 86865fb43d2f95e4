import Glibc

/// Stream sockets in the file system, for talk between processes of one machine. None of them blocks.
enum UnixSocket {
    private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)

    /// Throws ECONNREFUSED or ENOENT where nobody listens.
    static func connect(_ path: String) throws(Errno) -> Descriptor {
        let socket = Descriptor(owning: try Errno.check { Glibc.socket(AF_UNIX, kind, 0) })
        try Errno.check { withAddress(path) { Glibc.connect(socket.number, $0, $1) } }
        return socket
    }

    /// For owner and group. A socket that another process left behind is taken over; throws EADDRINUSE where one
    /// still listens.
    static func listen(_ path: String) throws(Errno) -> Descriptor {
        guard !(try isListenedTo(path)) else { throw Errno(EADDRINUSE) }
        unlink(path)
        let socket = Descriptor(owning: try Errno.check { Glibc.socket(AF_UNIX, kind, 0) })
        try Errno.check { withAddress(path) { bind(socket.number, $0, $1) } }
        try Errno.check { chmod(path, 0o660) }
        try Errno.check { Glibc.listen(socket.number, 8) }
        return socket
    }

    private static func isListenedTo(_ path: String) throws(Errno) -> Bool {
        do throws(Errno) {
            _ = try connect(path)
            return true
        } catch {
            switch error.code {
            case ECONNREFUSED, ENOENT: return false
            // So many wait to be let in that it can take no more.
            case EAGAIN: return true
            default: throw error
            }
        }
    }

    /// `nil`: nobody (more) waits to be let in.
    static func accept(_ listener: borrowing Descriptor) -> Descriptor? {
        let number = Glibc.accept(listener.number, nil, nil)
        guard number >= 0 else { return nil }
        let socket = Descriptor(owning: number)
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return socket
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return -1
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
