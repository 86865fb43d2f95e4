import CLinux
import Glibc

@testable import compass_mqtt

/// A TCP server on a free loopback port, driven step by step from a test.
struct LoopbackServer: ~Copyable {
    let port: Int
    private let listener: Descriptor

    /// A port of 0 is any free one. `family` AF_INET6 listens on ::1.
    init(port: Int = 0, family: Int32 = AF_INET) throws {
        let listener = try Self.listener(port: port, family: family)
        self.port = try Self.localPort(listener.number)
        self.listener = listener
    }

    private static func listener(port: Int, family: Int32) throws -> Descriptor {
        let address = try SocketAddress.resolve(host: family == AF_INET ? "127.0.0.1" : "::1", port: port)[0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let listener = Descriptor(owning: try Errno.check { socket(address.family, kind, 0) })
        let number = listener.number
        var yes: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        try Errno.check { address.withPointer { bind(number, $0, $1) } }
        try Errno.check { listen(number, 8) }
        return listener
    }

    /// The port stands at the same place in the addresses of both families.
    private static func localPort(_ number: Int32) throws -> Int {
        var bytes = [UInt8](repeating: 0, count: 128)
        var size = socklen_t(bytes.count)
        try bytes.withUnsafeMutableBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            _ = try Errno.check { getsockname(number, start, &size) }
        }
        return Int(bytes[2]) << 8 | Int(bytes[3])
    }

    /// The next connection; fails after `seconds`.
    func accept(within seconds: Double = 10) throws -> Peer {
        try waitForInput(on: listener.number, seconds: seconds)
        let number = listener.number
        return Peer(descriptor: Descriptor(owning: try Errno.check { Glibc.accept(number, nil, nil) }))
    }

    /// The far end of a connection.
    struct Peer: ~Copyable {
        let descriptor: Descriptor

        func send(_ text: String) throws {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let number = descriptor.number
                let part = Array(rest)
                let sent = try Errno.check {
                    Glibc.send(number, part, part.count, Int32(MSG_NOSIGNAL))
                }
                rest = rest.dropFirst(sent)
            }
        }

        /// The next line that the other side sent.
        func readLine(within seconds: Double = 10) throws -> String {
            var line: [UInt8] = []
            while line.last != UInt8(ascii: "\n") {
                try waitForInput(on: descriptor.number, seconds: seconds)
                var byte = [UInt8](repeating: 0, count: 1)
                let count = try byte.withUnsafeMutableBytes { try descriptor.read(into: $0) }
                if count == 0 { break }
                line += byte
            }
            return String(decoding: line, as: UTF8.self)
        }

        /// Ends the connection with RST instead of FIN.
        consuming func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                descriptor.number, SOL_SOCKET, SO_LINGER, &linger,
                socklen_t(MemoryLayout.size(ofValue: linger)))
        }

        consuming func close() {}
    }
}

struct TimedOut: Error {}

private func waitForInput(on descriptor: Int32, seconds: Double) throws {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if try Errno.check({ poll(&entry, 1, Int32(seconds * 1000)) }) == 0 { throw TimedOut() }
}
