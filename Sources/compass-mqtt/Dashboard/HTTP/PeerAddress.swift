import Glibc

/// The far end of a connection.
enum PeerAddress {
    /// In numbers, without the port; an IPv6 network's first half, since one machine has all addresses of it.
    static func text(of socket: Int32) -> String {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getpeername(socket, address, &size) == 0 else { return "" }
                return numeric(address, size)
            }
        }
    }

    private static func numeric(_ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
            let code = getnameinfo(
                address, size, text.baseAddress, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            guard code == 0, let start = text.baseAddress else { return "" }
            let whole = String(cString: start)
            let groups = whole.split(separator: ":", omittingEmptySubsequences: false)
            return groups.count > 4 ? groups.prefix(4).joined(separator: ":") : whole
        }
    }
}
