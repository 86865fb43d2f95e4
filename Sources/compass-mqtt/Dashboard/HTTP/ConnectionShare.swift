/// How much of a number of places one address may take, so that some stay free for the others. This machine is not
/// limited, nor are proxies: they stand for many.
struct ConnectionShare {
    let places: Int
    private let isForMany: (PeerAddress) -> Bool
    private var counts: [PeerAddress: Int] = [:]

    init(of places: Int, isForMany: @escaping (PeerAddress) -> Bool) {
        self.places = places
        self.isForMany = isForMany
    }

    /// Four fifths.
    static func most(of places: Int) -> Int { places - places / 5 }

    func hasRoom(for address: PeerAddress) -> Bool {
        address.isLoopback || isForMany(address)
            || counts[address.network, default: 0] < Self.most(of: places)
    }

    mutating func opened(_ address: PeerAddress) { counts[address.network, default: 0] += 1 }

    mutating func closed(_ address: PeerAddress) {
        let count = counts[address.network, default: 0] - 1
        counts[address.network] = count > 0 ? count : nil
    }
}
