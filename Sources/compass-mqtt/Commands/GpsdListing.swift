import CLinux
import Glibc
import HeadingPipeline

/// What gpsd says when it is asked for its receivers.
enum GpsdListing {
    enum Answer: Equatable {
        case devices([GpsdDevice])
        case unreachable(String)
    }

    static func ask(_ settings: Settings.Gps, within limit: Interval = .seconds(2)) -> Answer {
        var reason = "no address"
        do throws(ResolveError) {
            for address in try SocketAddress.resolve(host: settings.host, port: settings.port) {
                switch ask(address, until: SystemClock.now() + limit) {
                case .success(let devices): return .devices(devices)
                case .failure(let error): reason = error.description
                }
            }
        } catch {
            reason = error.description
        }
        return .unreachable(reason)
    }

    private static func ask(
        _ address: SocketAddress, until deadline: Instant
    ) -> Result<[GpsdDevice], Errno> {
        do throws(Errno) {
            let stream = try TcpStream.connecting(to: address)
            try wait(stream, POLLOUT, until: deadline)
            try stream.finishConnecting()
            try stream.send("?DEVICES;\n")
            return .success(try listen(stream, until: deadline))
        } catch {
            return .failure(error)
        }
    }

    private static func listen(
        _ stream: borrowing TcpStream, until deadline: Instant
    ) throws(Errno) -> [GpsdDevice] {
        var splitter = LineSplitter()
        var found: [GpsdDevice]?
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            try wait(stream, POLLIN, until: deadline)
            switch try stream.receive(into: buffer) {
            case .closed: throw Errno(ECONNRESET)
            case .nothingYet: break
            case .bytes(let count):
                splitter.consume(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { piece in
                    guard case .line(let line) = piece else { return }
                    GpsdReport.forEach(in: line) { if case .devices(let list) = $0 { found = list } }
                }
                if let found { return found }
            }
        }
    }

    private static func wait(
        _ stream: borrowing TcpStream, _ event: Int32, until deadline: Instant
    ) throws(Errno) {
        var entry = pollfd(fd: stream.descriptor.number, events: Int16(event), revents: 0)
        let left = max(0, (deadline - SystemClock.now()).seconds * 1000)
        if try Errno.check({ poll(&entry, 1, Int32(left)) }) == 0 { throw Errno(ETIMEDOUT) }
    }
}
