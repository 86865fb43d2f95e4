import HeadingPipeline

/// `calibrate --from` a recording: its readings through the same session as live ones, so that its fixes give the place.
struct RecordedCalibration {
    private let options: CloudOptions
    private var session: CalibrationSession
    private var refusedLines = 0

    init(_ options: CloudOptions, _ head: RecordingHead, config: Settings?) throws(ReplayError) {
        guard options.unit == nil else {
            throw ReplayError("a recording is in µT: --unit has no meaning", .usage)
        }
        self.options = options
        session = CalibrationSession(
            settings: try head.settings(in: options.file, unless: config), isLevelTurn: options.isLevelTurn,
            buildDate: head.buildDate ?? BuildDate.current)
    }

    mutating func take(_ input: inout RecordingInput) throws(ReplayError) {
        while let piece = try input.next() {
            switch piece {
            case .head: break
            case .reading(let reading): session.take(reading)
            case .refused: refusedLines += 1
            }
        }
    }

    /// The place that the operator names goes before the recording's.
    var fit: CalibrationFit { session.fit(expected: options.expected) }

    func report(_ fit: CalibrationFit) -> CalibrationReport {
        var notes: [String] = []
        if session.refused > 0 {
            notes.append("\(session.refused) readings of the magnetometer were refused")
        }
        if refusedLines > 0 { notes.append("\(refusedLines) lines cannot be read and were left out") }
        if session.leftOut > 0 {
            notes.append("\(session.leftOut) samples of another magnetometer were left out")
        }
        if fit.expected == nil {
            notes.append("it has no fix, so the scale is left as it is (see --place)")
        }
        let sensor = session.sensor.map { ", \($0.identity)" } ?? ""
        return CalibrationReport(fit, source: options.file + sensor, unit: "µT", notes: notes)
    }
}
