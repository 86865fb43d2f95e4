import Glibc
import HeadingPipeline
import Testing

@testable import compass_mqtt

@Suite("A broker that accepts and then reads nothing")
struct CongestionTests {
    private func connectedSession(_ server: borrowing LoopbackServer, _ outbox: Outbox) throws -> MQTTSession
    {
        var settings = Settings().mqtt
        settings.port = server.port
        settings.version = .v311
        settings.keepalive = .seconds(5)
        let session = try MQTTSession(
            settings: settings, clientId: "boat", statusTopic: "boat/status", outbox: outbox)
        try session.start()
        return session
    }

    /// CONNACK of MQTT 3.1.1: accepted.
    private let acceptance = " \u{2}\0\0"

    @Test("is given the newest value once it reads again; what was between is never queued")
    func newestWins() throws {
        let server = try LoopbackServer()
        let outbox = try Outbox()
        let slot = outbox.add(OutboundTopic(name: "boat/heading", stage: .value))
        let session = try connectedSession(server, outbox)
        let peer = try server.accept()
        try peer.send(acceptance)
        let size = 16384
        var payload = [UInt8](repeating: UInt8(ascii: "."), count: size)
        for round in 0..<4000 {
            payload.replaceSubrange(
                0..<6, with: Array("\(round)".utf8) + Array(repeating: 32, count: 6 - "\(round)".utf8.count))
            outbox.put(slot, payload)
            outbox.flush()
            if round % 8 == 0 { usleep(1000) }
        }
        #expect(outbox.supersededCount > 0)
        // 64 MB went in. What was handed on is in the kernel's buffers, a few megabytes.
        #expect(session.snapshot.sent < 1000)
        #expect(session.isAlive(at: SystemClock.now()))
        let received = try drain(peer, until: "3999  ..")
        #expect(received < 4000 * size)
        _ = session.stop(within: Interval.milliseconds(100))
    }

    @Test("counts as silent after the keepalive, though libmosquitto cannot ping it")
    func silent() throws {
        let server = try LoopbackServer()
        let outbox = try Outbox()
        let slot = outbox.add(OutboundTopic(name: "boat/heading", stage: .value))
        let session = try connectedSession(server, outbox)
        let peer = try server.accept()
        try peer.send(acceptance)
        let limit = SystemClock.now() + Interval.seconds(12)
        while session.snapshot.reason == nil, SystemClock.now() < limit {
            outbox.put(slot, [UInt8](repeating: 46, count: 65536))
            outbox.flush()
            usleep(1000)
        }
        #expect(session.snapshot.reason == "silent for longer than the keepalive")
        _ = session.stop(within: Interval.milliseconds(100))
    }

    @Test("does not hold up the end")
    func stop() throws {
        let server = try LoopbackServer()
        let outbox = try Outbox()
        let slot = outbox.add(OutboundTopic(name: "boat/heading", stage: .value))
        let session = try connectedSession(server, outbox)
        let peer = try server.accept()
        try peer.send(acceptance)
        for _ in 0..<2000 {
            outbox.put(slot, [UInt8](repeating: 46, count: 16384))
            outbox.flush()
            usleep(100)
        }
        let start = SystemClock.now()
        #expect(session.stop(within: Interval.seconds(2)) == .unconfirmed)
        #expect(SystemClock.now() - start < Interval.seconds(2.5))
    }

    /// Reads until the text has come; how many bytes that took.
    private func drain(_ peer: borrowing LoopbackServer.Peer, until text: String) throws -> Int {
        var total = 0
        var tail: [UInt8] = []
        let wanted = Array(text.utf8)
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = try chunk.withUnsafeMutableBytes { try peer.descriptor.read(into: $0) }
            if count == 0 { return .max }
            total += count
            tail = tail.suffix(wanted.count) + chunk[..<count]
            if String(decoding: tail, as: UTF8.self).contains(text) { return total }
        }
    }
}
