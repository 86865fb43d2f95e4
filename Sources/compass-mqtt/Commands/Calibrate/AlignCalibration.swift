import HeadingPipeline

/// `calibrate --align BEARING`: the angle between sensor and keel, from a bearing on which the keel is known to lie;
/// or `--align course`, from the course over ground of a vessel that goes straight.
struct AlignCalibration {
    let feed: any ReadingFeed
    let options: CalibrateOptions
    let settings: Settings
    /// True; `nil`: the course over ground.
    let bearing: Angle?

    private static let fewest = 10
    private static let leastSpeed = Speed.knots(3)

    func run() throws(FeedFault) -> ExitStatus {
        var pipeline = Pipeline(settings: settings)
        var differences = CircularMean()
        var count = 0
        var heading: Angle?
        var isFast = false
        let bearing = bearing
        StandardStream.output.writeLine(
            bearing == nil ? "keep a straight course over 3 knots" : "keep the keel on the bearing")
        var loop = try FeedLoop(feed, limit: min(options.limit, .seconds(30)))
        let end = try loop.run { reading in
            let new = pipeline.take(reading)
            if let north = new.heading?.trueNorth { heading = north.heading }
            if let speed = new.speed?.speed { isFast = speed.speed >= Self.leastSpeed }
            guard let heading else { return }
            let target = bearing ?? (isFast ? new.course?.course?.course : nil)
            guard let target, bearing == nil || new.heading != nil else { return }
            differences.add(Angle.shortest(from: heading, to: target))
            count += 1
        } look: { _ in
            false
        }
        if end == .abandoned { return FeedLoop.abandon() }
        guard count >= Self.fewest, let offset = differences.direction?.foldedSigned else {
            throw FeedFault("not saved: \(count) readings of a true heading where \(Self.fewest) are needed")
        }
        return try save(offset, differences.standardDeviation, pipeline)
    }

    /// One reading's scatter is what waves and the filter leave; the bearing itself is known to a degree.
    private func save(
        _ offset: Angle, _ scatter: Angle, _ pipeline: Pipeline
    ) throws(FeedFault) -> ExitStatus {
        guard scatter <= .degrees(5) else {
            throw FeedFault("not saved: the heading wanders by \(decimalText(scatter.degrees, places: 1))°")
        }
        guard let sensor = pipeline.sources.magnetometer.description else {
            throw FeedFault("no magnetometer is there")
        }
        let before = pipeline.calibrations.alignment?.offset ?? .zero
        let alignment = Alignment(
            offset: (before + offset).foldedSigned, uncertainty: (scatter * 0.3).combined(with: .degrees(1)))
        let record = CalibrationRecord(
            sensor: sensor.identity, time: SaneClock.knownTime(), place: nil, content: .alignment(alignment))
        let path = try feed.save(record)
        StandardStream.output.writeLine(
            "\(sensor.identity): the sensor stands \(decimalText(alignment.offset.degrees, places: 1))° off the keel,"
                + " which is added from now on; saved in \(path)")
        return .done
    }
}
