/// Why there is no connection to the broker.
package enum SessionFault: Error, Hashable, Sendable {
    /// Name not found, connection refused, no route.
    case unreachable(String)
    /// The connection stands, but the broker did not answer in time.
    case noAnswer
    /// The broker, or the way to it, went silent while connected.
    case silent
    /// The connection was closed, and why if that is known.
    case closed(String)
    /// Another client connected with the same client id.
    case takenOver
    /// User name, password or certificate of the agent are not accepted.
    case unauthorized(String)
    /// The broker refuses for a reason that trying again does not change.
    case refused(String)
    /// The broker's certificate is not trusted, or the agent's own cannot be used.
    case certificate(String)
    /// A file that the settings name cannot be used.
    case settings(String)

    /// Whether only a person can mend it, so that trying often is of no use.
    package var needsOperator: Bool {
        switch self {
        case .takenOver, .unauthorized, .refused, .certificate, .settings: true
        case .unreachable, .noAnswer, .silent, .closed: false
        }
    }

    package var reason: String {
        switch self {
        case .unreachable(let why), .certificate(let why), .settings(let why): why
        case .noAnswer: "no answer"
        case .silent: "silent for longer than the keepalive"
        case .closed(let why): why.isEmpty ? "connection closed" : "connection closed: \(why)"
        case .takenOver: "another client uses the same client id"
        case .unauthorized(let why): "login refused: \(why)"
        case .refused(let why): "refused: \(why)"
        }
    }
}

// What libmosquitto says in words.
extension SessionFault {
    /// From an error line of libmosquitto, such as `OpenSSL Error[0]: error:0A00045C:SSL routines::reason`. A
    /// TLS alert about the certificate comes from the broker and means the agent's own.
    package init(complaint: String) {
        guard complaint.hasPrefix("OpenSSL Error") else {
            self = .closed(complaint)
            return
        }
        let reason = String(complaint.split(separator: ":").last ?? "unknown error")
        let isAlert = reason.split(separator: " ").contains("alert")
        if isAlert, Self.alertsAboutAgent.contains(where: { reason.hasSuffix($0) }) {
            self = .unauthorized("TLS \(reason) (mqtt.tls_cert)")
        } else {
            self = .closed("TLS: \(reason)")
        }
    }

    /// RFC 8446, section 6.2, as OpenSSL spells them.
    private static let alertsAboutAgent = [
        "certificate required", "bad certificate", "unsupported certificate", "certificate revoked",
        "certificate expired", "certificate unknown", "unknown ca", "access denied", "handshake failure",
    ]
}

// What the broker's numbers mean.
extension SessionFault {
    /// From the return code of an MQTT 3.1.1 CONNACK (section 3.2.2.3).
    package init(returnCode: Int) {
        switch returnCode {
        case 1: self = .refused("the broker does not speak this version of MQTT (mqtt.version)")
        case 2: self = .refused("client id not accepted (mqtt.client_id)")
        case 3: self = .closed("the broker is unavailable")
        case 4: self = .unauthorized("bad user name or password (mqtt.username, mqtt.password_file)")
        case 5: self = .unauthorized("not authorised (mqtt.username, mqtt.password_file)")
        default: self = .refused("return code \(returnCode)")
        }
    }

    /// From the reason code of an MQTT 5 CONNACK or DISCONNECT (sections 3.2.2.2 and 3.14.2.1).
    package init(reasonCode: Int) {
        switch reasonCode {
        case 0x01, 0x84: self = .refused("the broker does not speak this version of MQTT (mqtt.version)")
        case 0x85: self = .refused("client id not accepted (mqtt.client_id)")
        case 0x86: self = .unauthorized("bad user name or password (mqtt.username, mqtt.password_file)")
        case 0x87: self = .unauthorized("not authorised (mqtt.username, mqtt.password_file)")
        case 0x8A: self = .refused("banned")
        case 0x8C: self = .unauthorized("bad authentication method")
        case 0x8E: self = .takenOver
        case 0x88: self = .closed("the broker is unavailable")
        case 0x89: self = .closed("the broker is busy")
        case 0x8B: self = .closed("the broker is shutting down")
        case 0x8D: self = .closed("keepalive timeout")
        case 0x90: self = .refused("topic not accepted (publish.base_topic)")
        case 0x93, 0x96, 0x97, 0x9F: self = .closed("too many messages (reason code \(reasonCode))")
        case 0x95: self = .refused("message too large")
        case 0x98: self = .closed("closed by the broker's administrator")
        case 0x9A: self = .refused("the broker keeps no retained messages")
        case 0x9B: self = .refused("the broker offers no QoS 1")
        case 0x9C, 0x9D: self = .refused("the broker has moved (mqtt.host)")
        default: self = .closed("reason code \(reasonCode)")
        }
    }
}
