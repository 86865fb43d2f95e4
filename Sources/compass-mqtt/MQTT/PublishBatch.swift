import Glibc
import HeadingPipeline

/// PUBLISH packets with QoS 0 (MQTT 5.0 and 3.1.1, section 3.3), one after the other, on their way to the
/// socket: a batch costs one call of the system where libmosquitto would make two for each message
/// (docs/decisions/0005-session-thread.md). Storage is kept and used again.
struct PublishBatch {
    private(set) var bytes: [UInt8] = []
    private var sent = 0

    /// The connection takes no more for now; nothing else may be written before what is left here.
    var isPending: Bool { !bytes.isEmpty }

    /// - Parameters:
    ///   - head: what `PublishHead` made for the topic.
    ///   - limit: the longest packet that the broker takes.
    /// - Returns: false when the packet would be longer than that.
    mutating func append(_ head: [UInt8], _ payload: [UInt8], retain: Bool, limit: Int) -> Bool {
        let length = head.count + payload.count
        guard 1 + Self.digits(length) + length <= limit else { return false }
        bytes.append(retain ? 0x31 : 0x30)
        appendLength(length)
        bytes.append(contentsOf: head)
        bytes.append(contentsOf: payload)
        return true
    }

    mutating func discard() {
        bytes.removeAll(keepingCapacity: true)
        sent = 0
    }

    /// Writes as much as the socket takes.
    mutating func send(to socket: Int32) throws(Errno) {
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.send(
                    socket, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                throw Errno()
            }
        }
        discard()
    }

    /// Seven bits a byte, the lowest first (section 1.5.5).
    private mutating func appendLength(_ length: Int) {
        var rest = length
        repeat {
            bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
    }

    private static func digits(_ length: Int) -> Int {
        switch length {
        case ..<0x80: 1
        case ..<0x4000: 2
        case ..<0x20_0000: 3
        default: 4
        }
    }
}

/// What stands between length and payload in each message of a topic: its name and its properties.
enum PublishHead {
    static func make(_ topic: OutboundTopic, version: Settings.MqttVersion) -> [UInt8] {
        let name = Array(topic.name.utf8)
        var head = bigEndian(UInt16(truncatingIfNeeded: name.count)) + name
        if version == .v5 { head += properties(topic) }
        return head
    }

    private static func properties(_ topic: OutboundTopic) -> [UInt8] {
        guard let expiry = topic.expiry else { return [0] }
        let messageExpiry: UInt8 = 2
        return [5, messageExpiry] + bigEndian(UInt32(clamping: expiry.nanoseconds / 1_000_000_000))
    }

    private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
