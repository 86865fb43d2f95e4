import Glibc
import HeadingPipeline

/// `calibrate`: a person turns the sensor or the vessel while the fit is shown as it grows, until it is good, the
/// person says so, or the time is over.
struct TurnCalibration {
    let feed: any ReadingFeed
    let options: CalibrateOptions
    let settings: Settings
    let isLevel: Bool

    func run() throws(FeedFault) -> ExitStatus {
        let view: any ProgressView =
            isatty(1) == 1 && !options.isJSON ? SpherePicture() : ProgressLines(isQuiet: options.isJSON)
        var session = CalibrationSession(settings: settings, isLevelTurn: isLevel)
        view.begin(origin: feed.origin, isLevelTurn: isLevel)
        var loop = try FeedLoop(feed, limit: options.limit)
        let end = try loop.run {
            session.take($0)
        } look: { elapsed in
            let progress = CalibrationProgress(session, elapsed: elapsed)
            view.show(progress)
            return progress.isComplete
        }
        view.end()
        if end == .abandoned { return FeedLoop.abandon() }
        return try finish(session)
    }

    private func finish(_ session: CalibrationSession) throws(FeedFault) -> ExitStatus {
        let fit = session.fit()
        var notes = session.expected == nil ? ["no fix yet, so the scale is left as it is"] : []
        if let record = session.record(fit) {
            notes.append("saved in \(try feed.save(record)); in force from now on")
        } else {
            notes.append("nothing is saved; what was in force before still is")
        }
        let sensor = session.sensor?.identity ?? "no sensor"
        let report = CalibrationReport(fit, source: sensor, unit: "µT", notes: notes)
        StandardStream.output.write(options.isJSON ? report.json : report.text)
        return fit.isUsable ? .done : .failed
    }
}
