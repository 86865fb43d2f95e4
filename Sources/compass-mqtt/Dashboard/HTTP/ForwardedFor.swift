import HeadingPipeline

/// Whom a proxy speaks for: the header `X-Forwarded-For`, to which each proxy on the way adds the address that it
/// was asked from. It is believed from proxies of the operator's own alone, as anybody can write one.
struct ForwardedFor {
    private let proxies: Set<PeerAddress>

    /// `proxies`: addresses in numbers.
    init(proxies: [String]) { self.proxies = Set(proxies.compactMap { PeerAddress(text: $0) }) }

    func isProxy(_ address: PeerAddress) -> Bool { proxies.contains(address) }

    /// The last address on the way that is no proxy of the operator's. `headers`: each line of that name, in order.
    func client(of peer: PeerAddress, _ headers: () -> [String]) -> PeerAddress {
        guard isProxy(peer) else { return peer }
        var client = peer
        for entry in headers().joined(separator: ",").split(separator: ",").reversed() {
            guard let address = Self.address(entry) else { break }
            client = address
            if !isProxy(address) { break }
        }
        return client
    }

    /// Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    private static func address(_ entry: Substring) -> PeerAddress? {
        let text = entry.filter { $0 != " " && $0 != "\t" }
        if let address = PeerAddress(text: text) { return address }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return PeerAddress(text: text[..<end].dropFirst())
        }
        return text.firstIndex(of: ":").flatMap { PeerAddress(text: text[..<$0]) }
    }
}
