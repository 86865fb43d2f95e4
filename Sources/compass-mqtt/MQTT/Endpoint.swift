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
        return try lookUp(settings.host, port)
    }

    private static func lookUp(_ host: String, _ port: Int) throws(SessionFault) -> [Endpoint] {
        do throws(ResolveError) {
            return try SocketAddress.resolve(host: host, port: port).compactMap { address in
                address.numericHost.map { .tcp(address: $0, port: port) }
            }
        } catch {
            throw .unreachable("cannot find \(host): \(error)")
        }
    }
}
