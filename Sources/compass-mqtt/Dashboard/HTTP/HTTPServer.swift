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
        callbacks.initialize(to: MicroHTTPDCallbacks(to: self))
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
    func admits(_ address: UnsafePointer<sockaddr>) -> Bool {
        PeerAddress(address).map(share.hasRoom) ?? false
    }

    /// Who keeps a connection, until it has ended.
    func opened(_ connection: OpaquePointer) -> HTTPPeer? {
        guard let address = PeerAddress(of: microhttpd_socket(&functions, connection)) else { return nil }
        share.opened(address)
        return HTTPPeer(address)
    }

    func closed(_ peer: HTTPPeer) { share.closed(peer.address) }

    func answer(
        _ connection: OpaquePointer, _ exchange: HTTPExchange, method: String, path: String
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
        _ response: HTTPResponse, _ connection: OpaquePointer, _ exchange: HTTPExchange
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
