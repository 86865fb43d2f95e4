import CMicroHTTPD
import Glibc

/// GNU libmicrohttpd, loaded when a dashboard is started and not before: it brings GnuTLS along, which would
/// cost every agent memory (docs/decisions/0016-dashboard.md).
struct HTTPLibrary {
    let functions: MicroHTTPD

    static let name = "libmicrohttpd.so.12"

    init() throws(HTTPFault) {
        var functions = MicroHTTPD()
        guard microhttpd_load(&functions, Self.name) else {
            throw .library("\(Self.name) is not there: apt install libmicrohttpd12")
        }
        self.functions = functions
    }
}

/// Why there is no HTTP server.
enum HTTPFault: Error, CustomStringConvertible {
    case library(String)
    case refused(String)

    var description: String {
        switch self {
        case .library(let why), .refused(let why): why
        }
    }
}
