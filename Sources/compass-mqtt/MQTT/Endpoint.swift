import Glibc
import HeadingPipeline

/// Where a connection goes. Names are looked up here and not in libmosquitto, so that a connection can be
/// begun without blocking and each address of a name gets its turn.
enum Endpoint: Hashable, Sendable {
    /// An address in numbers.
    case tcp(address: String, port: Int)
    case unixSocket(path: String)

    var isTCP: Bool {
        if case .tcp = self { true } else { false }
    }

    /// All there are, in the resolver's order. May block for as long as the resolver does.
    static func all(for settings: Settings.Mqtt) throws(SessionFault) -> [Endpoint] {
        if let path = settings.socket { return [.unixSocket(path: path)] }
        let port = settings.port ?? (settings.tls.isEnabled ? 8883 : 1883)
        return try lookUp(settings.host).map { .tcp(address: $0, port: port) }
    }

    static func isAddress(_ host: String) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var first: UnsafeMutablePointer<addrinfo>?
        defer { if let first { freeaddrinfo(first) } }
        return getaddrinfo(host, nil, &hints, &first) == 0
    }

    private static func lookUp(_ host: String) throws(SessionFault) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &first)
        guard code == 0 else {
            throw .unreachable("cannot find \(host): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(first) }
        var addresses: [String] = []
        var entry = first
        while let current = entry {
            if let text = numericText(current.pointee) { addresses.append(text) }
            entry = current.pointee.ai_next
        }
        return addresses
    }

    private static func numericText(_ entry: addrinfo) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            let code = getnameinfo(
                entry.ai_addr, entry.ai_addrlen, buffer.baseAddress, socklen_t(buffer.count), nil, 0,
                NI_NUMERICHOST)
            guard code == 0, let start = buffer.baseAddress else { return nil }
            return String(cString: start)
        }
    }
}
