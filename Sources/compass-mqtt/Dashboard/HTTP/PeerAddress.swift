// The header of libmicrohttpd has the types of addresses too: which module they come from is the compiler's choice.
import CMicroHTTPD
import Glibc

/// The address of a far end: IPv4, or IPv6 without its zone.
struct PeerAddress: Hashable, Sendable {
    /// The halves of the IPv6 address; an IPv4 address stands in its mapped form (RFC 4291, section 2.5.5.2),
    /// however it came.
    private let high: UInt64
    private let low: UInt64

    private static let mapped: UInt64 = 0xFFFF_0000_0000

    /// The far end of a socket; `nil`: it has none, or one of another kind.
    init?(of socket: Int32) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let address = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getpeername(socket, address, &size) == 0 ? PeerAddress(address) : nil
            }
        }
        guard let address else { return nil }
        self = address
    }

    init?(_ address: UnsafePointer<sockaddr>) {
        let bytes = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: self.init(ipv4: bytes.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(ipv6: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    /// In numbers: `192.0.2.1`, `2001:db8::1`.
    init?(text: some StringProtocol) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, String(text), &four) == 1 {
            self.init(ipv4: four)
        } else if inet_pton(AF_INET6, String(text), &six) == 1 {
            self.init(ipv6: six)
        } else {
            return nil
        }
    }

    private init(ipv4: in_addr) {
        high = 0
        low = Self.mapped | UInt64(UInt32(bigEndian: ipv4.s_addr))
    }

    private init(ipv6: in6_addr) {
        (high, low) = withUnsafeBytes(of: ipv6) {
            (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    private var isIPv4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

    /// What one machine cannot leave: its IPv4 address, or the first half of its IPv6 address, since it may take
    /// any address of that network. On a link without a router all machines share it.
    var network: PeerAddress { isIPv4 ? self : PeerAddress(high: high, low: 0) }

    /// On this machine.
    var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low <= 1 }
}
