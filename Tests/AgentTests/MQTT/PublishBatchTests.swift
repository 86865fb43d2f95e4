import Glibc
import HeadingPipeline
import Testing

@testable import compass_mqtt

@Suite("PublishBatch")
struct PublishBatchTests {
    private func packet(
        _ topic: OutboundTopic, _ payload: [UInt8], _ version: Settings.MqttVersion, retain: Bool = true
    ) -> [UInt8] {
        var batch = PublishBatch()
        let head = PublishHead.make(topic, version: version)
        let fits = batch.append(head, payload, retain: retain, limit: 1 << 28)
        #expect(fits)
        return batch.bytes
    }

    // Worked out by hand from MQTT 3.1.1 and 5.0, section 3.3.
    @Test("writes the bytes of the standard")
    func bytes() {
        let plain = OutboundTopic(name: "a/b", stage: .value)
        let expiring = OutboundTopic(name: "a/b", stage: .value, expiry: .seconds(300))
        let name: [UInt8] = [0, 3, 0x61, 0x2F, 0x62]
        #expect(packet(plain, [0x78], .v311) == [0x31, 6] + name + [0x78])
        #expect(packet(plain, [0x78], .v311, retain: false) == [0x30, 6] + name + [0x78])
        #expect(packet(plain, [0x78], .v5) == [0x31, 7] + name + [0, 0x78])
        #expect(packet(expiring, [0x78], .v5) == [0x31, 12] + name + [5, 2, 0, 0, 1, 0x2C, 0x78])
        #expect(packet(expiring, [], .v311) == [0x31, 5] + name)
    }

    // The table of section 2.2.3 (MQTT 3.1.1): 127 is 7F, 128 is 80 01, 16383 is FF 7F, 16384 is 80 80 01.
    @Test(
        "writes lengths of one to three bytes",
        arguments: [
            (127, [0x7F]), (128, [0x80, 0x01]), (16383, [0xFF, 0x7F]), (16384, [0x80, 0x80, 0x01]),
        ] as [(Int, [UInt8])])
    func lengths(length: Int, digits: [UInt8]) {
        let topic = OutboundTopic(name: "t", stage: .value)
        let bytes = packet(topic, [UInt8](repeating: 0, count: length - 3), .v311)
        #expect(Array(bytes[1...digits.count]) == digits)
        #expect(bytes.count == 1 + digits.count + length)
    }

    @Test("leaves out what is longer than the broker takes")
    func limit() {
        var batch = PublishBatch()
        let head = PublishHead.make(OutboundTopic(name: "t", stage: .value), version: .v311)
        // 1 + 1 + 3 + 5 bytes.
        let fitsNine = batch.append(head, [1, 2, 3, 4, 5], retain: true, limit: 9)
        #expect(!fitsNine)
        #expect(!batch.isPending)
        let fitsTen = batch.append(head, [1, 2, 3, 4, 5], retain: true, limit: 10)
        #expect(fitsTen)
    }

    @Test("writes what libmosquitto writes", arguments: [Settings.MqttVersion.v5, .v311], [3, 120, 20000])
    func sameAsLibrary(version: Settings.MqttVersion, size: Int) throws {
        let server = try LoopbackServer()
        let handle = try BrokerHandle(
            clientId: "x", version: version, tls: nil, dispatch: MessageDispatch([], version: version))
        try handle.connect(to: .tcp(address: "127.0.0.1", port: server.port), keepalive: .seconds(60))
        let peer = try server.accept()
        usleep(20_000)
        try handle.write()
        try peer.send(version == .v5 ? " \u{3}\0\0\0" : " \u{2}\0\0")
        usleep(20_000)
        try handle.read()
        _ = try bytes(from: peer)

        let topic = OutboundTopic(name: "boat/heading", stage: .value, expiry: .seconds(180))
        var message = OutgoingTopic(topic, version: version)
        message.payload = [UInt8](repeating: 0x2E, count: size)
        #expect(try handle.publish(message))
        #expect(try bytes(from: peer) == packet(topic, message.payload, version))
    }

    /// Everything that has arrived.
    private func bytes(from peer: borrowing LoopbackServer.Peer) throws -> [UInt8] {
        usleep(50_000)
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = try chunk.withUnsafeMutableBytes { try peer.descriptor.read(into: $0) }
        return Array(chunk[..<count])
    }
}
