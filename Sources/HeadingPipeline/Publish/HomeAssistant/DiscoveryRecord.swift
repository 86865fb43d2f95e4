/// What was announced to Home Assistant last: kept across restarts, so that what is there no more can be taken away.
package struct DiscoveryRecord: Hashable, Sendable {
    package struct Component: Hashable, Sendable {
        package var key: String
        package var platform: String

        package init(key: String, platform: String) {
            self.key = key
            self.platform = platform
        }
    }

    package var topic: String
    package var present: Set<Source>
    package var components: [Component]

    package init(topic: String, present: Set<Source>, components: [Component]) {
        self.topic = topic
        self.present = present
        self.components = components
    }

    /// One line each: `topic NAME`, `source NAME`, `component KEY PLATFORM`.
    package var text: String {
        let sources = Source.allCases.filter(present.contains).map { "source \($0.name)\n" }
        let components = components.map { "component \($0.key) \($0.platform)\n" }
        return "topic \(topic)\n" + sources.joined() + components.joined()
    }

    /// `nil`: not such a text.
    package init?(parsing bytes: [UInt8]) {
        var record = DiscoveryRecord(topic: "", present: [], components: [])
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            // A topic may have blanks in it.
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2, record.add(words[1], as: words[0]) else { return nil }
        }
        guard !record.topic.isEmpty else { return nil }
        self = record
    }

    private mutating func add(_ rest: String, as kind: String) -> Bool {
        switch kind {
        case "topic": topic = rest
        case "source":
            guard let source = Source.allCases.first(where: { $0.name == rest }) else { return false }
            present.insert(source)
        case "component":
            let words = rest.split(separator: " ").map(String.init)
            guard words.count == 2 else { return false }
            components.append(Component(key: words[0], platform: words[1]))
        default: return false
        }
        return true
    }
}
