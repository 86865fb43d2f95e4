import HeadingPipeline
import Synchronization
import Testing

@testable import compass_mqtt

@Suite("Incoming messages")
struct MessageDispatchTests {
    private let now = Instant(nanoseconds: 0)

    private final class Heard: Sendable {
        private let state = Mutex<[(String, IncomingMessage)]>([])
        var all: [(filter: String, message: IncomingMessage)] { state.withLock { $0 } }
        func add(_ filter: String, _ message: IncomingMessage) {
            state.withLock { $0.append((filter, message)) }
        }
    }

    private func dispatch(
        _ filters: [String], _ heard: Heard, _ version: Settings.MqttVersion = .v5, tellsRetained: Bool = true
    ) -> MessageDispatch {
        let dispatch = MessageDispatch(
            filters.map { filter in
                Subscription(filter, tellsRetained: tellsRetained) { heard.add(filter, $0) }
            }, version: version)
        dispatch.didSubscribe(at: now)
        return dispatch
    }

    private func send(
        _ topic: String, _ payload: [UInt8] = [1], retained: Bool = false, after seconds: Double = 0,
        to dispatch: MessageDispatch
    ) {
        payload.withUnsafeBytes {
            dispatch.take(topic, $0, isRetained: retained, at: now + Interval.seconds(seconds))
        }
    }

    @Test(
        "go to the first whose filter fits, and to nobody else",
        arguments: [
            ("boat/steer/set", "boat/+/set"), ("homeassistant/status", "homeassistant/status"),
            ("boat/a/b/set", "boat/#"), ("boat/steer", "boat/#"), ("other", nil), ("$SYS/x", nil), ("", nil),
        ] as [(String, String?)])
    func filters(topic: String, filter: String?) {
        let heard = Heard()
        send(topic, to: dispatch(["boat/+/set", "homeassistant/status", "boat/#"], heard))
        #expect(heard.all.map(\.filter) == [filter].compactMap { $0 })
    }

    @Test("with MQTT 5 the first retained one of a topic soon after the connect was stored before it")
    func stored() {
        let heard = Heard()
        let dispatch = dispatch(["#"], heard)
        send("a", retained: true, to: dispatch)
        send("a", retained: true, to: dispatch)
        send("b", to: dispatch)
        send("b", retained: true, after: 9, to: dispatch)
        send("c", retained: true, after: 11, to: dispatch)
        #expect(heard.all.map(\.message.isStored) == [true, false, false, true, false])
        #expect(heard.all.map(\.message.isRetained) == [true, true, false, true, true])
    }

    @Test("with MQTT 5 a stored one that takes its time may have been published just now")
    func late() {
        let heard = Heard()
        let dispatch = dispatch(["#"], heard)
        send("a", retained: true, after: 1, to: dispatch)
        send("b", retained: true, after: 3, to: dispatch)
        #expect(heard.all.map(\.message.isLate) == [false, true])
    }

    // A broker sends a stored message for each subscription that fits (MQTT 5, section 3.3.4).
    @Test(
        "each that is marked was stored with MQTT 3.1.1, and where live ones need not be told apart",
        arguments: [(Settings.MqttVersion.v311, true), (.v311, false), (.v5, false)])
    func storedAlways(version: Settings.MqttVersion, tellsRetained: Bool) {
        let heard = Heard()
        let dispatch = dispatch(["#"], heard, version, tellsRetained: tellsRetained)
        for _ in 1...2 { send("a", retained: true, after: 100, to: dispatch) }
        send("a", to: dispatch)
        for number in 0...1100 { send("b\(number)", retained: true, to: dispatch) }
        #expect(
            heard.all.map(\.message.isStored) == [true, true, false] + Array(repeating: true, count: 1101))
    }

    @Test("are cut off where they are too long, and known as such")
    func length() {
        let heard = Heard()
        let dispatch = dispatch(["#"], heard)
        for count in [0, 65_536, 65_537, 1_000_000] {
            send("a", [UInt8](repeating: 7, count: count), to: dispatch)
        }
        #expect(heard.all.map(\.message.payload.count) == [0, 65_536, 65_537, 65_537])
        #expect(heard.all.map(\.message.isTooLong) == [false, false, true, true])
    }
}
