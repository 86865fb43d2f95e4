import CGuard
import CMosquitto
import Glibc
import HeadingPipeline

/// The sole owner of one libmosquitto client. One handle serves one connection attempt and what comes of it,
/// and is never connected again (docs/decisions/0005-session-thread.md). To be used on one thread only:
/// libmosquitto then writes a message at once, without a queue or a thread of its own.
final class BrokerHandle {
    /// What the broker answered to the attempt to connect.
    enum Answer { case accepted, refused(SessionFault) }

    /// What the broker does not let this client do, while it keeps the connection.
    enum Refusal: Hashable {
        case listening(to: String)
        case publishing(on: String)
    }

    private let client: OpaquePointer
    private let version: Settings.MqttVersion
    private let tls: TLSContext?
    private let dispatch: MessageDispatch
    private(set) var answer: Answer?
    /// Why the broker closed the connection, where it said so.
    private var farewell: SessionFault?
    /// The last error that the library reported in words.
    private var complaint: String?
    /// Messages that the broker has yet to acknowledge, and their topics.
    private var unacknowledged: [(identifier: Int32, topic: String)] = []
    /// Subscriptions that the broker has yet to answer, by the identifier of their message.
    private var unanswered: [Int32: String] = [:]
    private var refusals: [Refusal] = []
    private(set) var limits = BrokerLimits()

    init(
        clientId: String, version: Settings.MqttVersion, tls: TLSContext?, dispatch: MessageDispatch
    ) throws(SessionFault) {
        _ = Self.library
        guard let client = mosquitto_new(clientId, true, nil) else {
            throw .settings("mqtt.client_id: libmosquitto refuses \(clientId): \(Errno())")
        }
        self.client = client
        self.version = version
        self.tls = tls
        self.dispatch = dispatch
        mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
        let number = version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, number)
        // A message must not wait for the acknowledgement of the one before.
        mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
        // Nobody waits on libmosquitto's own socket pair; from 2.1 on it can be told so (option 14).
        mosquitto_int_option(client, mosq_opt_t(14), 1)
        if let tls { use(tls) }
        setCallbacks()
    }

    deinit { mosquitto_destroy(client) }

    /// Once for the process.
    private static let library: Int32 = mosquitto_lib_init()

    private func use(_ tls: TLSContext) {
        mosquitto_void_option(client, MOSQ_OPT_SSL_CTX, UnsafeMutableRawPointer(tls.context))
        // And nothing of libmosquitto's own on top of it.
        mosquitto_int_option(client, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0)
    }

    private func setCallbacks() {
        mosquitto_connect_v5_callback_set(client, connectCallback)
        mosquitto_disconnect_callback_set(client, disconnectCallback)
        mosquitto_publish_v5_callback_set(client, publishCallback)
        mosquitto_message_callback_set(client, messageCallback)
        mosquitto_subscribe_callback_set(client, subscribeCallback)
        mosquitto_log_callback_set(client, logCallback)
    }
}

// Before connecting.
extension BrokerHandle {
    /// The message that the broker sends when the agent is gone.
    func setWill(topic: String, payload: StaticString) throws(SessionFault) {
        let code = mosquitto_will_set(
            client, topic, Int32(payload.utf8CodeUnitCount), payload.utf8Start, 1, true)
        if code != MOSQ_ERR_SUCCESS.rawValue {
            throw .settings("publish.base_topic: cannot be a topic: \(Self.text(code))")
        }
    }

    func logIn(username: String?, passwordFile: String?) throws(SessionFault) {
        guard let username else { return }
        var code = MOSQ_ERR_SUCCESS.rawValue
        if let passwordFile {
            try PasswordFile(path: passwordFile).withPassword {
                code = mosquitto_username_pw_set(client, username, $0)
            }
        } else {
            code = mosquitto_username_pw_set(client, username, nil)
        }
        if code != MOSQ_ERR_SUCCESS.rawValue { throw .settings("mqtt.username: \(Self.text(code))") }
    }

    /// Larger packets the broker need not send, since nobody here takes them.
    static let longestIncomingPacket: UInt32 = 256 * 1024

    /// With MQTT 5 only. libmosquitto 2.0 has no connect that takes properties and does not block; the one that
    /// takes them keeps them for the next connect, and without a host does nothing more.
    private func limitIncoming() {
        guard version == .v5 else { return }
        var properties: OpaquePointer?
        mosquitto_property_add_int32(
            &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), Self.longestIncomingPacket)
        mosquitto_connect_bind_v5(client, nil, 0, 60, nil, properties)
        mosquitto_property_free_all(&properties)
    }

    /// Begins to connect; does not block.
    func connect(to endpoint: Endpoint, keepalive: Interval) throws(SessionFault) {
        limitIncoming()
        let seconds = Int32(clamping: keepalive.nanoseconds / 1_000_000_000)
        let code =
            switch endpoint {
            case .tcp(let address, let port):
                mosquitto_connect_bind_async(client, address, Int32(clamping: port), seconds, nil)
            case .unixSocket(let path):
                mosquitto_connect_bind_async(client, path, 0, seconds, nil)
            }
        if code != MOSQ_ERR_SUCCESS.rawValue { throw fault(code) }
    }
}

// While there is a connection.
extension BrokerHandle {
    /// -1 once the connection is gone.
    var socket: Int32 { mosquitto_socket(client) }

    /// The broker takes no more for now; what libmosquitto holds must go out first.
    var isCongested: Bool { mosquitto_want_write(client) }

    var unacknowledgedCount: Int { unacknowledged.count }

    /// Takes in what has come, and finishes a handshake.
    func read() throws(SessionFault) {
        var assertion: UnsafePointer<CChar>?
        let code = guarded_mosquitto_loop_read(client, 1, &assertion)
        if let assertion {
            throw .closed("the broker breaks MQTT (libmosquitto: \(String(cString: assertion)))")
        }
        try check(code)
    }

    /// Writes what could not be written before.
    func write() throws(SessionFault) { try check(mosquitto_loop_write(client, 1)) }

    /// To be called about every second: pings, and finds out that the broker is silent.
    func keepAlive() throws(SessionFault) { try check(mosquitto_loop_misc(client)) }

    /// True: sent or queued; false: it can never be sent (too large for the broker).
    func publish(_ message: OutgoingTopic) throws(SessionFault) -> Bool {
        let qos = Int32(min(message.topic.qos, limits.bestQos))
        var identifier: Int32 = 0
        let code = mosquitto_publish_v5(
            client, &identifier, message.name, Int32(message.payload.count), message.payload, qos,
            message.topic.isRetained, message.properties?.list)
        switch code {
        case MOSQ_ERR_SUCCESS.rawValue:
            if qos > 0 { unacknowledged.append((identifier, message.topic.name)) }
            return true
        case MOSQ_ERR_OVERSIZE_PACKET.rawValue, MOSQ_ERR_PAYLOAD_SIZE.rawValue:
            return false
        default:
            throw lastWord(fault(code))
        }
    }

    /// Writes a batch past libmosquitto. Only while it has nothing to write itself, and not through TLS.
    func send(_ batch: inout PublishBatch) throws(SessionFault) {
        do throws(Errno) {
            try batch.send(to: socket)
        } catch {
            throw lastWord(Self.fault(error))
        }
    }

    /// What the broker said before it closed may still lie in the socket.
    private func lastWord(_ fault: SessionFault) -> SessionFault {
        if socket >= 0 { try? read() }
        return farewell ?? fault
    }

    /// The kernel's word on a connection that stood. It gives up after the keepalive, too.
    private static func fault(_ error: Errno) -> SessionFault {
        error == Errno(ETIMEDOUT) ? .silent : .closed("\(error)")
    }

    /// Asks for all subscriptions.
    func subscribe(at now: Instant) throws(SessionFault) {
        for subscription in dispatch.subscriptions {
            let asPublished = version == .v5 && subscription.tellsRetained
            let options = asPublished ? Int32(MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue) : 0
            var identifier: Int32 = 0
            try check(
                mosquitto_subscribe_v5(
                    client, &identifier, subscription.filter, Int32(subscription.qos), options, nil))
            unanswered[identifier] = subscription.filter
        }
        dispatch.didSubscribe(at: now)
    }

    /// Since the last call.
    func takeRefusals() -> [Refusal] {
        defer { refusals = [] }
        return refusals
    }

    func disconnect() { mosquitto_disconnect(client) }

    private func check(_ code: Int32) throws(SessionFault) {
        if code == MOSQ_ERR_SUCCESS.rawValue, socket >= 0 { return }
        throw fault(code)
    }

    /// The best word for what happened: the broker's own, the certificate's, then the library's.
    private func fault(_ code: Int32) -> SessionFault {
        let number = errno
        if case .refused(let fault) = answer { return fault }
        if let farewell { return farewell }
        if let fault = tls?.certificateFault { return .certificate(fault) }
        if let complaint { return SessionFault(complaint: complaint) }
        switch code {
        case MOSQ_ERR_SUCCESS.rawValue, MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_NO_CONN.rawValue:
            return .closed("")
        case MOSQ_ERR_KEEPALIVE.rawValue: return .silent
        case MOSQ_ERR_ERRNO.rawValue where number != 0:
            return answer == nil ? .unreachable("\(Errno(number))") : Self.fault(Errno(number))
        default: return .closed(Self.text(code))
        }
    }

    private static func text(_ code: Int32) -> String { String(cString: mosquitto_strerror(code)) }
}

// What libmosquitto calls.
extension BrokerHandle {
    fileprivate func brokerAnswered(_ code: Int32, _ properties: OpaquePointer?) {
        guard code == 0 else {
            answer = .refused(
                version == .v5 ? SessionFault(reasonCode: Int(code)) : SessionFault(returnCode: Int(code)))
            return
        }
        answer = .accepted
        // With a log callback libmosquitto formats a line for every message.
        mosquitto_log_callback_set(client, nil)
        complaint = nil
        limits = BrokerLimits(properties)
    }

    fileprivate func brokerLeft(_ code: Int32) {
        // Below 0x80 it is libmosquitto's own error code.
        if code >= 0x80, farewell == nil { farewell = SessionFault(reasonCode: Int(code)) }
    }

    /// MQTT 3.1.1 has no word for a refusal: the code is always 0.
    fileprivate func brokerAcknowledged(_ identifier: Int32, _ code: Int32) {
        guard let index = unacknowledged.firstIndex(where: { $0.identifier == identifier }) else { return }
        let topic = unacknowledged.remove(at: index).topic
        if code >= 0x80 { refusals.append(.publishing(on: topic)) }
    }

    fileprivate func brokerSent(_ message: mosquitto_message) {
        let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
        dispatch.take(
            String(cString: message.topic), payload, isRetained: message.retain, at: SystemClock.now())
    }

    fileprivate func brokerAnswered(subscription identifier: Int32, _ codes: UnsafeBufferPointer<Int32>) {
        guard let filter = unanswered.removeValue(forKey: identifier) else { return }
        if codes.contains(where: { $0 >= 0x80 }) { refusals.append(.listening(to: filter)) }
    }

    fileprivate func libraryComplained(_ level: Int32, _ text: UnsafePointer<CChar>) {
        guard level == MOSQ_LOG_ERR, complaint == nil else { return }
        complaint = String(cString: text)
    }
}

// At file scope, so that they are isolated to no actor whatever thread they run on.

private func handle(_ context: UnsafeMutableRawPointer?) -> BrokerHandle? {
    context.map { Unmanaged<BrokerHandle>.fromOpaque($0).takeUnretainedValue() }
}

private func connectCallback(
    _ client: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ code: Int32, _ flags: Int32,
    _ properties: OpaquePointer?
) {
    handle(context)?.brokerAnswered(code, properties)
}

private func disconnectCallback(_ client: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ code: Int32)
{
    handle(context)?.brokerLeft(code)
}

private func publishCallback(
    _ client: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ identifier: Int32, _ code: Int32,
    _ properties: OpaquePointer?
) {
    handle(context)?.brokerAcknowledged(identifier, code)
}

private func messageCallback(
    _ client: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
    _ message: UnsafePointer<mosquitto_message>?
) {
    if let message { handle(context)?.brokerSent(message.pointee) }
}

private func subscribeCallback(
    _ client: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ identifier: Int32, _ count: Int32,
    _ codes: UnsafePointer<Int32>?
) {
    handle(context)?.brokerAnswered(
        subscription: identifier, UnsafeBufferPointer(start: codes, count: Int(count)))
}

private func logCallback(
    _ client: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ level: Int32,
    _ text: UnsafePointer<CChar>?
) {
    if let text { handle(context)?.libraryComplained(level, text) }
}
