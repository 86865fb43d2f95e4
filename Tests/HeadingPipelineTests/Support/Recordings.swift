import HeadingPipeline

/// Readings as a recording's bytes, and back.
enum Recordings {
    static func bytes(_ readings: [Reading], settings: Settings = Settings()) -> [UInt8] {
        let head = RecordingHead(
            program: "0.0.0", buildDate: UTCTime(year: 2026, month: 11, day: 1), settings: settings)
        var bytes = Array(head.text.utf8)
        for reading in readings { bytes.appendLine(reading) }
        return bytes
    }

    struct Content {
        var head: RecordingHead?
        var readings: [Reading] = []
        var refused: [(line: Int, fault: RecordingFault)] = []
        var isCutOff = false
    }

    /// In pieces of so many bytes.
    static func read(_ bytes: [UInt8], by step: Int = 1000) throws(RecordingRefusal) -> Content {
        var reader = RecordingReader()
        var pieces: [RecordingReader.Piece] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(step))
            rest = rest.dropFirst(step)
            let result = part.withUnsafeBytes { buffer in
                Result { () throws(RecordingRefusal) in try reader.consume(buffer, into: &pieces) }
            }
            try result.get()
        }
        var content = Content()
        content.isCutOff = try reader.finish(into: &pieces)
        for piece in pieces {
            switch piece {
            case .head(let head): content.head = head
            case .reading(let reading): content.readings.append(reading)
            case .refused(let line, let fault): content.refused.append((line, fault))
            }
        }
        return content
    }

    /// What `compass-mqtt replay` prints.
    static func replayed(_ readings: [Reading], _ settings: Settings, buildDate: UTCTime) -> [String] {
        var replay = Replay(settings: settings, buildDate: buildDate)
        let base = settings.publish.baseTopic ?? "compass/\(settings.agent.id ?? "replay")"
        var lines: [String] = []
        let deliver: Publisher.Delivery = {
            lines.append("\(base)/\($0.path) " + String(decoding: $1, as: UTF8.self))
        }
        replay.begin(deliver: deliver)
        for reading in readings { replay.take(reading, deliver: deliver) }
        return lines
    }
}
