import HeadingPipeline

/// Shows a person, or a script, how a calibration goes on.
protocol ProgressView {
    func begin(origin: String, isLevelTurn: Bool)
    func show(_ progress: CalibrationProgress)
    func end()
}

/// A line every other second.
final class ProgressLines: ProgressView {
    private let isQuiet: Bool
    private var lastShown = Interval.zero

    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    func begin(origin: String, isLevelTurn: Bool) {
        if !isQuiet { StandardStream.output.writeLine("calibrating with \(origin)") }
    }

    func show(_ progress: CalibrationProgress) {
        guard !isQuiet, progress.elapsed - lastShown >= .seconds(2) || progress.isComplete else { return }
        lastShown = progress.elapsed
        StandardStream.output.writeLine(progress.line)
    }

    func end() {}
}
