/// A file cannot be replayed at all.
package enum RecordingRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case noRecording
    /// Of the format; this program knows another.
    case version(String)

    package var description: String {
        switch self {
        case .noRecording: "is no recording: it does not begin with \"\(RecordingHead.firstWords)\""
        case .version(let version):
            "is a recording of format \(version); known is \(RecordingHead.formatVersion)"
        }
    }
}

/// Puts a head together, line by line.
struct RecordingHeadReader {
    private var head = RecordingHead()
    private var settingLines = 0
    private var isRecording = false

    /// Takes a line that begins with `#`; what it does not know is a comment.
    mutating func take(_ line: UnsafeRawBufferPointer, number: Int) throws(RecordingRefusal) {
        let text = String(decoding: line, as: UTF8.self)
        if number == 1 { return try begin(text) }
        if let setting = text.rest(after: RecordingHead.settingMark) {
            take(setting: setting, number: number)
        } else if let version = text.rest(after: RecordingHead.programMark) {
            head.program = String(version.prefix(40))
        } else if let date = text.rest(after: RecordingHead.buildDateMark) {
            head.buildDate = UTCTime(rfc3339: date)
        }
    }

    func finished() throws(RecordingRefusal) -> RecordingHead {
        guard isRecording else { throw .noRecording }
        return head
    }

    private mutating func begin(_ text: String) throws(RecordingRefusal) {
        guard let version = text.rest(after: RecordingHead.firstWords) else { throw .noRecording }
        guard version == String(RecordingHead.formatVersion) else {
            throw .version(String(version.prefix(20)))
        }
        isRecording = true
    }

    /// In the same line as in the recording, so that a fault in it is named where it stands.
    private mutating func take(setting: Substring, number: Int) {
        guard head.settings.utf8.count <= ConfigFile.largestSize else { return }
        head.settings += String(repeating: "\n", count: number - 1 - settingLines) + setting + "\n"
        settingLines = number
    }
}

extension String {
    fileprivate func rest(after start: String) -> Substring? {
        hasPrefix(start) ? dropFirst(start.count) : nil
    }
}
