import HeadingPipeline

/// One who has connected to the control socket, and what it asks.
final class ControlClient {
    let lines: ControlLines
    private(set) var isWatching = false
    /// The record that is being sent, up to a line with a full stop.
    private var incoming: [UInt8]?
    private var isBehind = false

    enum Request {
        case watch
        case save([UInt8], behind: Bool)
        case restore(CalibrationRecord.Kind, sensor: String)
        case unknown, incomplete
    }

    enum Reply {
        case done(String)
        case nothing
        case failure(String)
    }

    init(_ socket: consuming Descriptor) { lines = ControlLines(socket) }

    func take(_ line: [UInt8]) -> Request {
        if let text = incoming { return take(line, after: text) }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2).map(String.init)
        switch words.first {
        case "watch":
            isWatching = true
            return .watch
        case "save", "keep":
            incoming = []
            isBehind = words.first == "keep"
            return .incomplete
        case "restore":
            guard words.count == 3, let kind = CalibrationRecord.Kind(rawValue: words[1]) else {
                return .unknown
            }
            return .restore(kind, sensor: words[2])
        default: return .unknown
        }
    }

    private func take(_ line: [UInt8], after text: [UInt8]) -> Request {
        if line == [UInt8(ascii: ".")] {
            incoming = nil
            return .save(text, behind: isBehind)
        }
        if text.count <= CalibrationArchive.largestSize { incoming = text + line + [UInt8(ascii: "\n")] }
        return .incomplete
    }

    func reply(_ reply: Reply) {
        let text =
            switch reply {
            case .done(let path): "ok \(path)\n"
            case .nothing: "none\n"
            case .failure(let reason): "error \(reason)\n"
            }
        lines.send(text.utf8)
    }
}
