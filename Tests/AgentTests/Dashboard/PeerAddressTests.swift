import Glibc
import Testing

@testable import compass_mqtt

@Suite("The far end of a connection")
struct PeerAddressTests {
    @Test(
        "is its IPv4 address, or the first half of its IPv6 one: a machine may take any address of its network",
        arguments: [
            // On link-local networks, too, whose compressed text has fewer groups.
            ("fe80::1234:5678:9abc:def0", "fe80::1", true), ("fe80::1", "fe80::ffff:ffff:ffff:ffff", true),
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true), ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
            ("2001:db8::", "2001:db8::1:0:0:1", true), ("192.0.2.1", "192.0.2.2", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true), ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
            ("::1", "127.0.0.1", false),
        ])
    func network(one: String, other: String, isSame: Bool) throws {
        let networks = try [one, other].map { try #require(PeerAddress(text: $0)).network }
        #expect((networks[0] == networks[1]) == isSame)
    }

    @Test(
        "is this machine's own",
        arguments: [
            ("127.0.0.1", true), ("127.8.9.10", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("128.0.0.1", false), ("192.168.1.1", false), ("fe80::1", false), ("::2", false),
        ])
    func loopback(text: String, isLoopback: Bool) throws {
        #expect(try #require(PeerAddress(text: text)).isLoopback == isLoopback)
    }

    @Test("is none", arguments: ["", "localhost", "1.2.3", "fe80::1%eth0", "unknown", "::1::"])
    func refuses(text: String) { #expect(PeerAddress(text: text) == nil) }

    @Test("is read from a socket", arguments: [(AF_INET, "127.0.0.1"), (AF_INET6, "::1")])
    func ofSocket(family: Int32, text: String) throws {
        let server = try LoopbackServer(family: family)
        let place = try SocketAddress.resolve(host: text, port: server.port)[0]
        let client = Descriptor(owning: socket(family, Int32(SOCK_STREAM.rawValue), 0))
        let number = client.number
        #expect(place.withPointer { connect(number, $0, $1) } == 0)
        #expect(PeerAddress(of: number) == PeerAddress(text: text))
    }

    @Test("a socket without one has none")
    func withoutPeer() {
        let unconnected = Descriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        #expect(PeerAddress(of: unconnected.number) == nil)
    }
}

@Suite("Whom a proxy speaks for")
struct ForwardedForTests {
    private let forwarded = ForwardedFor(proxies: ["127.0.0.1", "2001:db8::5"])

    private func client(of peer: String, _ headers: String...) throws -> PeerAddress {
        forwarded.client(of: try #require(PeerAddress(text: peer))) { headers }
    }

    @Test(
        "is the last address that is no proxy of ours; what a client has written before it counts for nothing",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("10.0.0.1, 192.0.2.7", "192.0.2.7"),
            ("192.0.2.7, 127.0.0.1", "192.0.2.7"), ("10.0.0.1,192.0.2.7,2001:db8::5", "192.0.2.7"),
            ("192.0.2.7:4711", "192.0.2.7"), ("[2001:db8::9]:4711", "2001:db8::9"),
            ("2001:db8::9", "2001:db8::9"), (" 192.0.2.7 ", "192.0.2.7"),
        ])
    func behind(header: String, expected: String) throws {
        #expect(try client(of: "127.0.0.1", header) == PeerAddress(text: expected))
    }

    @Test("also where the proxy adds a line of its own")
    func severalLines() throws {
        #expect(try client(of: "127.0.0.1", "10.0.0.1", "192.0.2.7") == PeerAddress(text: "192.0.2.7"))
    }

    @Test("nobody else is believed")
    func others() throws {
        #expect(try client(of: "127.0.0.2", "192.0.2.7") == PeerAddress(text: "127.0.0.2"))
        #expect(try client(of: "2001:db8::6", "192.0.2.7") == PeerAddress(text: "2001:db8::6"))
    }

    @Test(
        "is the proxy itself where it tells no address",
        arguments: ["", "unknown", "192.0.2.7, unknown", ","])
    func withoutAddress(header: String) throws {
        #expect(try client(of: "127.0.0.1", header) == PeerAddress(text: "127.0.0.1"))
    }

    @Test("none is believed unless the operator names it")
    func unset() throws {
        let address = try #require(PeerAddress(text: "127.0.0.1"))
        #expect(ForwardedFor(proxies: []).client(of: address) { ["192.0.2.7"] } == address)
    }
}

@Suite("Each address's share of the connections")
struct ConnectionShareTests {
    private func address(_ text: String) throws -> PeerAddress { try #require(PeerAddress(text: text)) }

    @Test("leaves a fifth for the others", arguments: [(250, 200), (350, 280), (5, 4), (4, 4), (1, 1)])
    func most(places: Int, most: Int) { #expect(ConnectionShare.most(of: places) == most) }

    @Test("is given back when a connection ends")
    func counts() throws {
        var share = ConnectionShare(of: 5) { _ in false }
        let greedy = try address("fe80::1")
        for _ in 0..<4 {
            #expect(share.hasRoom(for: greedy))
            share.opened(greedy)
        }
        #expect(!share.hasRoom(for: greedy))
        #expect(!share.hasRoom(for: try address("fe80::2")))
        #expect(share.hasRoom(for: try address("192.0.2.1")))
        share.closed(greedy)
        #expect(share.hasRoom(for: greedy))
    }

    @Test("has no limit for this machine, nor for a proxy")
    func unlimited() throws {
        let proxy = try address("192.0.2.1")
        var share = ConnectionShare(of: 5) { $0 == proxy }
        for one in [proxy, try address("127.0.0.1"), try address("::1")] {
            for _ in 0..<5 { share.opened(one) }
            #expect(share.hasRoom(for: one))
        }
    }
}
