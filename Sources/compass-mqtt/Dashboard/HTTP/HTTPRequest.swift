import CMicroHTTPD
import Glibc

/// One request of a browser, whole.
struct HTTPRequest {
    let method: String
    /// Without the query.
    let path: String
    let body: [UInt8]
    /// The far end of the connection, which may be a proxy.
    let peer: PeerAddress
    private let connection: OpaquePointer
    private let functions: MicroHTTPD

    init(
        _ connection: OpaquePointer, _ functions: MicroHTTPD, from peer: PeerAddress, method: String,
        path: String, body: [UInt8]
    ) {
        self.connection = connection
        self.functions = functions
        self.method = method
        self.path = path
        self.body = body
        self.peer = peer
    }

    func header(_ name: String) -> String? {
        microhttpd_header([functions], connection, name).map { String(cString: $0) }
    }

    /// Each line of a header that may come more than once, in order.
    func headers(_ name: String) -> [String] {
        var values: [String] = []
        name.withCString { name in
            withUnsafeMutablePointer(to: &values) {
                let search = MicroHTTPDSearch(name: name, context: $0, found: headerFound)
                microhttpd_each_header([functions], connection, search)
            }
        }
        return values
    }

    /// Of the query.
    func argument(_ name: String) -> String? {
        microhttpd_argument([functions], connection, name).map { String(cString: $0) }
    }
}

private func headerFound(_ context: UnsafeMutableRawPointer?, _ value: UnsafePointer<CChar>?) {
    guard let context, let value else { return }
    context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: value))
}
