import CMicroHTTPD
import Glibc

/// One request of a browser, whole.
struct HTTPRequest {
    let method: String
    /// Without the query.
    let path: String
    let body: [UInt8]
    /// The far end, in numbers.
    let address: String
    private let connection: OpaquePointer
    private let functions: MicroHTTPD

    init(_ connection: OpaquePointer, _ functions: MicroHTTPD, method: String, path: String, body: [UInt8]) {
        self.connection = connection
        self.functions = functions
        self.method = method
        self.path = path
        self.body = body
        address = PeerAddress.text(of: microhttpd_socket([functions], connection))
    }

    func header(_ name: String) -> String? {
        microhttpd_header([functions], connection, name).map { String(cString: $0) }
    }

    /// Of the query.
    func argument(_ name: String) -> String? {
        microhttpd_argument([functions], connection, name).map { String(cString: $0) }
    }
}
