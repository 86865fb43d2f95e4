/// How a calibration that was started by a message goes on, and how good the one in force is.
package struct CalibrationStatus: Hashable, Sendable {
    package enum State: String, Sendable { case idle, collecting, done, failed }

    package var state = State.idle
    /// Of the calibration that is being learned or was learned last.
    package var learned: Learned?
    /// What to do next, or why it failed.
    package var hint: String?
    /// Of the calibration in force: good, usable, configured, uncalibrated.
    package var quality: String

    package struct Learned: Hashable, Sendable {
        /// 0...1
        package var coverage: Double
        package var residual: FluxDensity
        package var verdict: String

        package init(coverage: Double, residual: FluxDensity, verdict: String) {
            self.coverage = coverage
            self.residual = residual
            self.verdict = verdict
        }
    }

    package init(quality: String) { self.quality = quality }

    package func write(to writer: inout PayloadWriter, time: UTCTime?) {
        writer.begin()
        writer.text("state", state.rawValue)
        writer.number("coverage", learned.map { $0.coverage * 100 }, places: 0)
        writer.number("residual", learned?.residual.microtesla, places: 2)
        writer.word("residual_unit", "µT")
        writer.text("hint", hint)
        writer.text("verdict", learned?.verdict)
        writer.text("quality", quality)
        writer.time("time", time)
        writer.end()
    }
}
