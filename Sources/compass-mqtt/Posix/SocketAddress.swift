import Glibc

/// The address of a host's port, IPv4 or IPv6.
struct SocketAddress: Sendable {
    private let storage: [UInt8]
    let family: Int32

    /// All addresses of a host, in the order to try them. Asks the name service, which may take many seconds.
    static func resolve(host: String, port: Int) throws(ResolveError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { throw ResolveError(code: code) }
        defer { freeaddrinfo(list) }
        return Array(sequence(first: list, next: { $0?.pointee.ai_next }).prefix { $0 != nil })
            .compactMap { $0.flatMap { SocketAddress($0.pointee) } }
    }

    private init?(_ info: addrinfo) {
        guard let address = info.ai_addr else { return nil }
        storage = Array(UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
        family = info.ai_family
    }

    /// Whether a host is given as an address and needs no name service.
    static func isNumeric(_ host: String) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return false }
        freeaddrinfo(list)
        return true
    }

    /// The address in numbers, without the port.
    var numericHost: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
            let size = socklen_t(text.count)
            let code = withPointer { getnameinfo($0, $1, text.baseAddress, size, nil, 0, NI_NUMERICHOST) }
            guard code == 0, let start = text.baseAddress else { return nil }
            return String(cString: start)
        }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> Result) -> Result {
        storage.withUnsafeBytes {
            body($0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
    }
}

/// A host's name leads to no address.
struct ResolveError: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: gai_strerror(code)) }
}
