import CMicroHTTPD
import Glibc

/// The connection of an endless response: asleep while there is nothing to send.
final class HTTPLink {
    private let connection: OpaquePointer
    private let functions: MicroHTTPD
    private let socket: Int32
    private(set) var isAsleep = false
    /// It ends as soon as libmicrohttpd has noticed.
    private(set) var isCut = false

    /// What the kernel keeps for a viewer that does not read. More would only grow old there.
    private static let sendBuffer: Int32 = 32 * 1024
    /// Bytes that nobody acknowledges for so long end the connection, in milliseconds.
    private static let silenceLimit: Int32 = 15_000

    init(_ connection: OpaquePointer, _ functions: MicroHTTPD) {
        self.connection = connection
        self.functions = functions
        socket = microhttpd_socket([functions], connection)
        set(SOL_SOCKET, SO_SNDBUF, Self.sendBuffer)
        set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Self.silenceLimit)
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(socket, level, option, &value, 4)
    }

    /// Bytes that the far end has yet to take.
    var unreadCount: Int {
        var count: Int32 = 0
        return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    /// To be called while the stream is read, and has nothing.
    func sleep() {
        isAsleep = true
        functions.suspend_connection?(connection)
    }

    func wake() {
        guard isAsleep else { return }
        isAsleep = false
        functions.resume_connection?(connection)
    }

    /// The far end has closed it, which libmicrohttpd does not notice while the connection sleeps.
    var isLeft: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    /// Ends it, whatever is still under way.
    func cut() {
        isCut = true
        shutdown(socket, Int32(SHUT_RDWR))
        // Asleep, libmicrohttpd does not look.
        wake()
    }
}
