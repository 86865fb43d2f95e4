import CMicroHTTPD
import Glibc
import HeadingPipeline

/// The HTTP server: libmicrohttpd, driven by the loop of one thread, on which everything of it happens.
final class HTTPServer {
    struct Encryption {
        /// PEM texts, ended by a zero.
        var certificate: [CChar]
        var key: [CChar]
    }

    private var functions: MicroHTTPD
    private let respond: (HTTPRequest) -> HTTPResponse
    private let encryption: Encryption?
    private var share: ConnectionShare
    /// What libmicrohttpd calls; it keeps the address.
    private let callbacks = UnsafeMutablePointer<MicroHTTPDCallbacks>.allocate(capacity: 1)
    private var daemon: OpaquePointer?

    private static let largestBody = 4096
    private static let block = 4096
    private static let memory = 16 * 1024
    /// A browser that neither sends nor takes a byte for so long is disconnected, in seconds. Streams that sleep
    /// see to it themselves.
    private static let idleLimit: UInt32 = 30

    /// - Parameter listener: taken over.
    init(
        _ library: HTTPLibrary, listener: consuming Descriptor, encryption: Encryption?,
        connections: ConnectionShare, respond: @escaping (HTTPRequest) -> HTTPResponse
    ) {
        functions = library.functions
        self.encryption = encryption
        share = connections
        self.respond = respond
        callbacks.initialize(
            to: MicroHTTPDCallbacks(
                context: Unmanaged.passUnretained(self).toOpaque(), arrived: requestArrived,
                ended: requestEnded, admits: connectionAsked, opened: connectionOpened,
                closed: connectionClosed))
        let limits = MicroHTTPDLimits(
            connections: UInt32(connections.places), idle: Self.idleLimit, memory: Self.memory)
        daemon = start(dup(listener.number), limits)
    }

    deinit { callbacks.deallocate() }

    /// False where the certificate or its key cannot be used.
    var isRunning: Bool { daemon != nil }

    private func start(_ socket: Int32, _ limits: MicroHTTPDLimits) -> OpaquePointer? {
        guard let encryption else { return microhttpd_start(&functions, socket, limits, callbacks, nil, nil) }
        return encryption.key.withUnsafeBufferPointer { key in
            encryption.certificate.withUnsafeBufferPointer { certificate in
                microhttpd_start(
                    &functions, socket, limits, callbacks, key.baseAddress, certificate.baseAddress)
            }
        }
    }

    /// All streams must have been woken for the last time, and have ended.
    func stop() {
        if let daemon { functions.stop_daemon?(daemon) }
        daemon = nil
    }
}

// The loop.
extension HTTPServer {
    /// Readable when there is something to do.
    var descriptor: Int32 { daemon.map { microhttpd_epoll(&functions, $0) } ?? -1 }

    /// When there is something to do whatever comes; `nil`: not before something comes.
    func deadline(from now: Instant) -> Instant? {
        guard let daemon else { return nil }
        let milliseconds = microhttpd_timeout(&functions, daemon)
        return milliseconds < 0 ? nil : now + .milliseconds(milliseconds)
    }

    func turn() {
        if let daemon { _ = functions.run?(daemon) }
    }
}

// What libmicrohttpd calls.
extension HTTPServer {
    /// The far end of an open connection.
    fileprivate final class Peer {
        let address: PeerAddress
        init(_ address: PeerAddress) { self.address = address }
    }

    /// A request under way.
    fileprivate final class Exchange {
        var body: [UInt8] = []
        var isTooLarge = false
        var stream: (any HTTPStream)?

        func take(_ bytes: UnsafeRawBufferPointer) {
            isTooLarge = isTooLarge || body.count + bytes.count > HTTPServer.largestBody
            if !isTooLarge { body += bytes }
        }
    }

    fileprivate func admits(_ address: UnsafePointer<sockaddr>) -> Bool {
        PeerAddress(address).map(share.hasRoom) ?? false
    }

    /// Who keeps a connection, until it has ended.
    fileprivate func opened(_ connection: OpaquePointer) -> Peer? {
        guard let address = PeerAddress(of: microhttpd_socket(&functions, connection)) else { return nil }
        share.opened(address)
        return Peer(address)
    }

    fileprivate func closed(_ peer: Peer) { share.closed(peer.address) }

    fileprivate func answer(
        _ connection: OpaquePointer, _ exchange: Exchange, method: String, path: String
    ) -> Bool {
        guard let peer = PeerAddress(of: microhttpd_socket(&functions, connection)) else { return false }
        let request = HTTPRequest(
            connection, functions, from: peer, method: method, path: path, body: exchange.body)
        let response = exchange.isTooLarge ? HTTPResponse.text(413, "too large") : respond(request)
        guard let made = make(response, connection, exchange) else { return false }
        for (name, value) in response.headers { microhttpd_add_header(&functions, made, name, value) }
        return microhttpd_answer(&functions, connection, response.status, made)
    }

    private func make(
        _ response: HTTPResponse, _ connection: OpaquePointer, _ exchange: Exchange
    ) -> OpaquePointer? {
        switch response.body {
        case .bytes(let bytes):
            return microhttpd_bytes(&functions, bytes, bytes.count)
        case .stream(let stream):
            stream.link = HTTPLink(connection, functions)
            exchange.stream = stream
            let context = Unmanaged.passUnretained(exchange).toOpaque()
            return microhttpd_stream(&functions, Self.block, streamRead, context)
        }
    }
}

// At file scope, so that they are isolated to no actor whatever thread they run on.

private func requestArrived(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ part: UnsafePointer<CChar>?, _ partSize: UnsafeMutablePointer<Int>?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Bool {
    guard let context, let connection, let path, let method, let partSize, let slot else { return false }
    guard let pointer = slot.pointee else {
        slot.pointee = Unmanaged.passRetained(HTTPServer.Exchange()).toOpaque()
        return true
    }
    let exchange = Unmanaged<HTTPServer.Exchange>.fromOpaque(pointer).takeUnretainedValue()
    if partSize.pointee > 0 {
        exchange.take(UnsafeRawBufferPointer(start: part, count: partSize.pointee))
        partSize.pointee = 0
        return true
    }
    return Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        .answer(connection, exchange, method: String(cString: method), path: String(cString: path))
}

private func requestEnded(_ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
    guard let slot, let exchange = slot.pointee else { return }
    slot.pointee = nil
    let stream = Unmanaged<HTTPServer.Exchange>.fromOpaque(exchange).takeRetainedValue().stream
    stream?.link = nil
    stream?.ended()
}

private func connectionAsked(_ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?) -> Bool
{
    guard let context, let address else { return false }
    return Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().admits(address)
}

private func connectionOpened(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) {
    guard let context, let connection, let slot else { return }
    let peer = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().opened(connection)
    slot.pointee = peer.map { Unmanaged.passRetained($0).toOpaque() }
}

private func connectionClosed(
    _ context: UnsafeMutableRawPointer?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) {
    guard let context, let slot, let peer = slot.pointee else { return }
    slot.pointee = nil
    Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        .closed(Unmanaged<HTTPServer.Peer>.fromOpaque(peer).takeRetainedValue())
}

private func streamRead(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: Int
) -> Int {
    guard let context, let buffer,
        let stream = Unmanaged<HTTPServer.Exchange>.fromOpaque(context).takeUnretainedValue().stream,
        let link = stream.link
    else { return -1 }
    let count = stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
    // 0 without sleeping would be asked again at once.
    if count == 0 { link.sleep() }
    return count
}
