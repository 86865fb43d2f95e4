import HeadingPipeline

/// `calibrate --swing`: the deviation table, from the course over ground while the vessel goes through all headings.
struct SwingCalibration {
    let feed: any ReadingFeed
    let options: CalibrateOptions
    let settings: Settings

    func run() throws(FeedFault) -> ExitStatus {
        var swing = Swing(settings: settings)
        var lastShown = Interval.zero
        StandardStream.output.writeLine(
            "steer slow, wide circles in still water at a steady speed, over \(Self.leastKnots) knots;"
                + " Enter ends, Ctrl-C gives up")
        var loop = try FeedLoop(feed, limit: options.limit)
        let end = try loop.run {
            swing.take($0)
        } look: { elapsed in
            if elapsed - lastShown >= .seconds(5) {
                lastShown = elapsed
                StandardStream.output.writeLine(swing.progress)
            }
            return swing.isComplete
        }
        if end == .abandoned { return FeedLoop.abandon() }
        return try finish(swing)
    }

    private static let leastKnots = decimalText(SwingCollector.leastSpeed.knots, places: 1)

    private func finish(_ swing: Swing) throws(FeedFault) -> ExitStatus {
        let result = swing.collector.result()
        if let refusal = result.refusal { throw FeedFault("not saved: \(refusal.text)") }
        guard let table = result.table, let sensor = swing.pipeline.sources.magnetometer.description else {
            throw FeedFault("not saved: no magnetometer is there")
        }
        let record = CalibrationRecord(
            sensor: sensor.identity, time: SaneClock.knownTime(), place: nil, content: .deviation(table))
        let path = try feed.save(record)
        StandardStream.output.write(DeviationCard(table, title: sensor.identity).text)
        StandardStream.output.writeLine(
            "from \(result.samples) fixes, current under \(decimalText(result.current.knots, places: 1)) knots;"
                + " in force from now on; saved in \(path)")
        return .done
    }
}

/// What a swing has brought so far.
private struct Swing {
    private(set) var pipeline: Pipeline
    private(set) var collector = SwingCollector()
    private var trueHeading: HeadingMeasurement.TrueHeading?

    init(settings: Settings) { pipeline = Pipeline(settings: settings) }

    /// Two slow circles bring so many fixes.
    private static let enough = 240
    var isComplete: Bool { collector.samples.count >= Self.enough && collector.sectors.missing == nil }

    mutating func take(_ reading: Reading) {
        let new = pipeline.take(reading)
        if let heading = new.heading { trueHeading = heading.trueNorth }
        guard let heading = trueHeading, let course = new.course?.course?.course,
            let speed = new.speed?.speed?.speed
        else { return }
        let magnetic = heading.heading - heading.declination
        let compass = pipeline.calibrations.deviation?.compassHeading(magnetic: magnetic) ?? magnetic
        collector.take(
            SwingCollector.Sample(
                compass: compass.foldedPositive, course: (course - heading.declination).foldedPositive,
                speed: speed))
    }

    var progress: String {
        let next = collector.sectors.missing.map {
            "next: compass heading \(decimalText($0.degrees, places: 0))°"
        }
        return
            "\(collector.sectors.known) of \(HeadingSectors.count) sectors, \(collector.samples.count) fixes,"
            + " \(collector.tooSlow) too slow; \(next ?? "go on round")"
    }
}
