/// What stands before the readings of a recording, in lines that begin with `#`: who wrote it, and under which
/// settings. Nothing of it is secret.
package struct RecordingHead: Hashable, Sendable {
    /// The version of the program; `nil`: not told.
    package var program: String?
    /// The day of that program's build, which a date is judged by.
    package var buildDate: UTCTime?
    /// A config file with the settings that were in force; empty: all at their defaults.
    package var settings = ""

    package static let formatVersion = 1
    static let firstWords = "# compass-mqtt recording "
    static let programMark = "# program "
    static let buildDateMark = "# build_date "
    static let settingMark = "#settings| "

    init() {}

    package init(program: String, buildDate: UTCTime, settings: Settings) {
        self.program = program
        self.buildDate = buildDate
        // How to reach a broker changes no reading, and is the operator's own affair.
        self.settings = settings.configText(leavingOut: ["mqtt"])
    }

    package var text: String {
        var lines = ["\(Self.firstWords)\(Self.formatVersion)"]
        if let program { lines.append(Self.programMark + program) }
        if let buildDate { lines.append(Self.buildDateMark + rfc3339(buildDate)) }
        lines += settings.split(separator: "\n").map { Self.settingMark + $0 }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Whether a file that begins so is a recording, of whatever version.
    package static func isBeginning(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: firstWords.utf8)
    }

    private func rfc3339(_ time: UTCTime) -> String {
        var bytes: [UInt8] = []
        bytes.appendRFC3339(time)
        return String(decoding: bytes, as: UTF8.self)
    }
}
