import Glibc

/// A socket that takes connections.
enum TcpListener {
    private static let kind = Int32(
        SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    private static let longestQueue: Int32 = 128

    static func listen(on address: SocketAddress) throws(Errno) -> Descriptor {
        let family = address.family
        let socket = Descriptor(
            owning: try Errno.check { Glibc.socket(family, kind, Int32(IPPROTO_TCP)) })
        var yes: Int32 = 1
        // A restart must not wait for connections of before to be forgotten.
        setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        let number = socket.number
        try Errno.check { address.withPointer { bind(number, $0, $1) } }
        try Errno.check { Glibc.listen(number, longestQueue) }
        return socket
    }
}
