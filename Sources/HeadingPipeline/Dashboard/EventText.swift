/// Server-sent events (WHATWG HTML, section 9.2) as bytes: `event: name`, `data: JSON`, an empty line. No payload
/// gets past its JSON string, whatever is in it.
package enum EventText {
    /// How soon a browser that lost the stream tries again, in milliseconds.
    package static let retry = Array("retry: 1000\n\n".utf8)

    /// All of the event but its age, which is another for each viewer.
    package static func topic(_ topic: ShownTopic, _ payload: [UInt8]?, isStored: Bool) -> [UInt8] {
        var bytes = Array("data: {\"topic\":".utf8)
        bytes.appendJSONString(topic.rawValue)
        bytes.append(",\"payload\":")
        if let payload {
            bytes.appendJSONString(String(decoding: payload, as: UTF8.self))
        } else {
            bytes.append("null")
        }
        bytes.append(isStored ? ",\"stored\":true" : ",\"stored\":false")
        return bytes
    }
}

extension [UInt8] {
    /// A topic's event, complete. `age`: since it came.
    package mutating func appendEvent(_ entry: TopicStore.Entry, at now: Instant) {
        append(contentsOf: entry.event)
        append(",\"age\":")
        appendInteger(UInt64(Swift.max(0, (now - entry.receivedAt).nanoseconds / 1_000_000)))
        append("}\n\n")
    }

    /// An event of another kind; `data` must be JSON without a line's end.
    package mutating func appendEvent(_ name: StaticString, _ data: [UInt8]) {
        append("event: ")
        append(name)
        append("\ndata: ")
        append(contentsOf: data)
        append("\n\n")
    }
}
