import Glibc
import HeadingPipeline
import Synchronization
import Testing

@testable import compass_mqtt

@Suite(
    "MQTTSession with a real broker", .enabled(if: PrivateBroker.isInstalled, "mosquitto is not installed"))
struct MQTTSessionTests {
    /// What a second session hears, in the order it came.
    final class Ear: Sendable {

        let session: MQTTSession

        init(_ broker: PrivateBroker, _ filter: String, version: Settings.MqttVersion = .v5) throws {
            let record = Recorder()
            recorder = record
            var settings = MQTTSessionTests.settings(broker)
            settings.version = version
            session = try MQTTSession(
                settings: settings, clientId: "ear", statusTopic: "ear/status",
                outbox: Outbox(),
                subscriptions: [Subscription(filter, tellsRetained: true) { record.add($0) }])
            try session.start()
            for _ in 0..<100 where session.snapshot.state != .connected { usleep(20_000) }
            usleep(50_000)
        }

        let recorder: Recorder

        deinit { _ = session.stop(within: Interval.seconds(1)) }

        /// Waits up to two seconds for so many messages.
        func messages(_ count: Int) -> [Recorder.Message] {
            for _ in 0..<200 where recorder.all.count < count { usleep(10_000) }
            return recorder.all
        }
    }

    final class Recorder: Sendable {
        struct Message: Equatable { var topic: String, payload: String, isStored: Bool, isRetained: Bool }
        private let messages = Mutex<[Message]>([])
        var all: [Message] { messages.withLock { $0 } }
        func add(_ message: IncomingMessage) {
            messages.withLock {
                $0.append(
                    Message(
                        topic: message.topic, payload: String(decoding: message.payload, as: UTF8.self),
                        isStored: message.isStored, isRetained: message.isRetained))
            }
        }
    }

    static func settings(_ broker: PrivateBroker) -> Settings.Mqtt {
        var settings = Settings().mqtt
        settings.port = broker.port
        return settings
    }

    @Test("after a connect everything is sent: discovery, online, statuses, values")
    func order() throws {
        let broker = try PrivateBroker()
        let ear = try Ear(broker, "boat/#")
        let outbox = try Outbox()
        let value = outbox.add(OutboundTopic(name: "boat/heading", stage: .value, expiry: .seconds(60)))
        let status = outbox.add(OutboundTopic(name: "boat/gps/status", stage: .status, qos: 1))
        let discovery = outbox.add(OutboundTopic(name: "boat/config", stage: .discovery, qos: 1))
        outbox.put(value, "118.6")
        outbox.put(status, "online")
        outbox.put(discovery, "{}")
        let session = try MQTTSession(
            settings: Self.settings(broker), clientId: "boat", statusTopic: "boat/status", outbox: outbox)
        try session.start()
        let order = ear.messages(4).map { "\($0.topic) \($0.payload)" }
        #expect(
            order == ["boat/config {}", "boat/status online", "boat/gps/status online", "boat/heading 118.6"])
        #expect(session.snapshot.state == .connected)
        #expect(session.snapshot.connects == 1)
        #expect(session.stop(within: Interval.seconds(3)) == .confirmed)
        #expect(ear.messages(5).last?.payload == "offline")
        #expect(session.snapshot.state == .stopped)
    }

    @Test("a value goes out after a flush, and an emptied topic is no longer retained")
    func flushAndClear() throws {
        let broker = try PrivateBroker()
        let outbox = try Outbox()
        let slot = outbox.add(OutboundTopic(name: "boat/destination", stage: .value))
        let session = try MQTTSession(
            settings: Self.settings(broker), clientId: "boat", statusTopic: "boat/status", outbox: outbox)
        try session.start()
        let ear = try Ear(broker, "boat/destination")
        for text in ["a", "bb", ""] {
            text.isEmpty ? outbox.clear(slot) : outbox.put(slot, text)
            outbox.flush()
            usleep(100_000)
        }
        #expect(ear.messages(3).map(\.payload) == ["a", "bb", ""])
        let late = try Ear(broker, "boat/#")
        #expect(late.messages(1).map(\.topic) == ["boat/status"])
        #expect(session.stop(within: Interval.seconds(3)) == .confirmed)
    }

    @Test("what libmosquitto calls back is called on the session's own thread, not on the test's")
    func foreignThread() throws {
        let broker = try PrivateBroker()
        let names = Mutex<[String]>([])
        let outbox = try Outbox()
        let session = try MQTTSession(
            settings: Self.settings(broker), clientId: "boat", statusTopic: "boat/status", outbox: outbox,
            subscriptions: [
                Subscription("boat/+") { message in
                    let text = Self.nameOfThread()
                    names.withLock { $0.append("\(message.topic) \(text)") }
                }
            ])
        try session.start()
        for _ in 0..<200 where names.withLock({ $0.isEmpty }) { usleep(10_000) }
        #expect(names.withLock { $0 } == ["boat/status mqtt"])
        #expect(session.isAlive(at: SystemClock.now()))
        #expect(session.stop(within: Interval.seconds(3)) == .confirmed)
        #expect(session.isAlive(at: SystemClock.now() + Interval.seconds(1000)))
    }

    @Test("a broker that lost everything is asked again for what the session listens to")
    func subscribesAgain() throws {
        let broker = try PrivateBroker()
        let ear = try Ear(broker, "boat/#")
        try broker.restart()
        for _ in 0..<400 where ear.session.snapshot.connects < 2 { usleep(10_000) }
        let session = try MQTTSession(
            settings: Self.settings(broker), clientId: "boat", statusTopic: "boat/status", outbox: Outbox())
        try session.start()
        #expect(ear.messages(1).map(\.payload) == ["online"])
        #expect(session.stop(within: Interval.seconds(3)) == .confirmed)
    }

    @Test(
        "what lay at the broker is told from what comes now, retained or not",
        arguments: [Settings.MqttVersion.v5, .v311])
    func storedMessages(version: Settings.MqttVersion) throws {
        let broker = try PrivateBroker()
        let outbox = try Outbox()
        let kept = outbox.add(OutboundTopic(name: "boat/a", stage: .value))
        let passing = outbox.add(OutboundTopic(name: "boat/b", stage: .value, isRetained: false))
        outbox.put(kept, "old")
        let session = try MQTTSession(
            settings: Self.settings(broker), clientId: "boat", statusTopic: "other", outbox: outbox)
        try session.start()
        for _ in 0..<100 where session.snapshot.sent < 2 { usleep(20_000) }
        usleep(100_000)
        let ear = try Ear(broker, "boat/+", version: version)
        #expect(ear.messages(1).map(\.payload) == ["old"])
        for (slot, text) in [(kept, "new"), (passing, "now")] {
            outbox.put(slot, text)
            outbox.flush()
        }
        let messages = ear.messages(3).sorted { $0.topic + $0.payload < $1.topic + $1.payload }
        #expect(messages.map(\.payload) == ["new", "old", "now"])
        #expect(messages.map(\.isStored) == [false, true, false])
        // The older protocol has no word for it.
        #expect(messages.map(\.isRetained) == [version == .v5, true, false])
        #expect(session.stop(within: Interval.seconds(3)) == .confirmed)
    }

    private static func nameOfThread() -> String {
        guard let file = fopen("/proc/thread-self/comm", "r") else { return "?" }
        defer { fclose(file) }
        var name = [CChar](repeating: 0, count: 20)
        fgets(&name, 20, file)
        return String(decoding: name.prefix { $0 > 32 }.map { UInt8($0) }, as: UTF8.self)
    }

    @Test("MQTT 3.1.1 works as well")
    func oldVersion() throws {
        let broker = try PrivateBroker()
        let ear = try Ear(broker, "boat/#")
        var settings = Self.settings(broker)
        settings.version = .v311
        let outbox = try Outbox()
        let slot = outbox.add(OutboundTopic(name: "boat/heading", stage: .value, expiry: .seconds(60)))
        outbox.put(slot, "1.0")
        let session = try MQTTSession(
            settings: settings, clientId: "boat", statusTopic: "boat/status", outbox: outbox)
        try session.start()
        #expect(ear.messages(2).map(\.payload) == ["online", "1.0"])
        #expect(session.stop(within: Interval.seconds(3)) == .confirmed)
    }

    @Test("stopping with no broker at all leaves nobody to confirm, and is quick")
    func stopWithoutBroker() throws {
        var settings = Settings().mqtt
        settings.port = 1
        let session = try MQTTSession(
            settings: settings, clientId: "boat", statusTopic: "boat/status", outbox: Outbox())
        try session.start()
        usleep(100_000)
        #expect(session.snapshot.reason == "Connection refused")
        let start = SystemClock.now()
        #expect(session.stop(within: Interval.seconds(3)) == .notConnected)
        #expect(SystemClock.now() - start < Interval.seconds(0.5))
    }
}
