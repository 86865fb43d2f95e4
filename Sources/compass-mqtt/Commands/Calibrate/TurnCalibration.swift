import CLinux
import Glibc
import HeadingPipeline

/// `calibrate`: a person turns the sensor or the vessel while the fit is shown as it grows, until it is good, the
/// person says so, or the time is over.
final class TurnCalibration {
    private let feed: any ReadingFeed
    private let options: CalibrateOptions
    private let view: any ProgressView
    private var session: CalibrationSession
    private let signals: SignalDescriptor
    private var batch: [Reading] = []
    private let start = SystemClock.now()

    /// Between looks at the fit.
    private static let pace = Interval.milliseconds(500)

    init(
        _ feed: any ReadingFeed, _ options: CalibrateOptions, _ settings: Settings, isLevel: Bool
    ) throws(FeedFault) {
        self.feed = feed
        self.options = options
        session = CalibrationSession(settings: settings, isLevelTurn: isLevel)
        view = isatty(1) == 1 && !options.isJSON ? SpherePicture() : ProgressLines(isQuiet: options.isJSON)
        do throws(Errno) { signals = try SignalDescriptor([SIGINT, SIGTERM]) } catch {
            throw FeedFault("signals: \(error)")
        }
    }

    func run() throws(FeedFault) -> ExitStatus {
        view.begin(origin: feed.origin, isLevelTurn: session.isLevelTurn)
        let deadline = start + options.limit
        var nextLook = start + Self.pace
        while true {
            DescriptorWait.untilReadable(
                [feed.descriptor, signals.descriptor.number, keyboard], until: min(nextLook, deadline))
            if signals.next() != nil { return abandon() }
            try feed.take(into: &batch)
            for reading in batch { session.take(reading) }
            let now = SystemClock.now()
            guard now >= nextLook else { continue }
            nextLook = now + Self.pace
            let progress = CalibrationProgress(session, elapsed: now - start)
            view.show(progress)
            if progress.isComplete || now >= deadline || isEnterPressed() { return try finish(progress.fit) }
        }
    }

    /// -1, which nobody waits for, where no person sits at it.
    private var keyboard: Int32 { isatty(0) == 1 ? 0 : -1 }

    private func isEnterPressed() -> Bool {
        var entry = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return false }
        return readLine() != nil
    }

    private func abandon() -> ExitStatus {
        view.end()
        StandardStream.error.writeLine("compass-mqtt: given up; nothing is changed")
        return .failed
    }

    private func finish(_ fit: CalibrationFit) throws(FeedFault) -> ExitStatus {
        view.end()
        let sensor = session.sensor?.identity ?? "no sensor"
        var notes = session.expected == nil ? ["no fix yet, so the scale is left as it is"] : []
        if let record = session.record(fit) {
            notes.append("saved in \(try feed.save(record)); in force from now on")
        } else {
            notes.append("nothing is saved; what was in force before still is")
        }
        let report = CalibrationReport(fit, source: sensor, unit: "µT", notes: notes)
        StandardStream.output.write(options.isJSON ? report.json : report.text)
        return fit.isUsable ? .done : .failed
    }
}
