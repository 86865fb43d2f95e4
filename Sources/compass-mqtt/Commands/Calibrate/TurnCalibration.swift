import HeadingPipeline

/// `calibrate`: a person turns the sensor or the vessel while the fit is shown as it grows, until it is good, the
/// person says so, or the time is over.
struct TurnCalibration {
    let feed: any ReadingFeed
    let options: CalibrateOptions
    let settings: Settings
    let isLevel: Bool

    func run() throws(FeedFault) -> ExitStatus {
        var session = CalibrationSession(settings: settings, isLevelTurn: isLevel)
        if try learn(&session) == .abandoned { return FeedLoop.abandon() }
        return try finish(session)
    }

    private func learn(_ session: inout CalibrationSession) throws(FeedFault) -> FeedLoop.End {
        let view = view
        view.begin(origin: feed.origin, isLevelTurn: isLevel)
        defer { view.end() }
        var loop = try FeedLoop(feed, limit: options.limit)
        return try loop.run {
            session.take($0)
        } look: { elapsed in
            let progress = CalibrationProgress(session, elapsed: elapsed)
            view.show(progress)
            return progress.isComplete
        }
    }

    private var view: any ProgressView {
        let picture = options.isJSON ? nil : SpherePicture()
        return picture ?? ProgressLines(isQuiet: options.isJSON)
    }

    private func finish(_ session: CalibrationSession) throws(FeedFault) -> ExitStatus {
        guard !session.samples.isEmpty else {
            throw FeedFault("no magnetometer gave a reading: see compass-mqtt devices")
        }
        let fit = session.fit()
        var notes = session.expected == nil ? ["no fix yet, so the scale is left as it is"] : []
        var isKept = false
        if let record = session.record(fit) {
            do throws(FeedFault) {
                notes.append(try save(record, fit.succession(after: session.stored)))
                isKept = true
            } catch {
                // What was turned for is not lost: the report has the lines for the config file.
                notes.append("NOT SAVED: \(error)")
            }
        } else {
            notes.append("nothing is saved; what was in force before still is")
        }
        let sensor = session.sensor?.identity ?? "no sensor"
        let report = CalibrationReport(fit, source: sensor, unit: "µT", notes: notes)
        StandardStream.output.write(options.isJSON ? report.json : report.text)
        return isKept ? .done : .failed
    }

    /// What became of it, in words.
    private func save(
        _ record: CalibrationRecord, _ succession: Succession
    ) throws(FeedFault) -> String {
        func text(_ difference: FluxDensity) -> String {
            decimalText(difference.microtesla, places: 1) + " µT"
        }
        let place = try feed.save(record, behind: succession.isBehind)
        switch succession {
        case .takesOver: return "saved in \(place); \(force)"
        case .takesOverMoved(let difference):
            return "the good one before fits no longer: the hard iron has moved by \(text(difference));"
                + " saved in \(place); \(force)"
        case .staysBehind(let difference):
            return
                "the good one before stays in force: it fits these samples too, within \(text(difference));"
                + " this one is kept behind it in \(place), and calibrate --restore puts it in force"
        }
    }

    private var force: String {
        MagneticCalibration(settings: settings.magnetometer) == nil
            ? "in force from now on" : "but the config's hard_iron and soft_iron go before it"
    }
}
