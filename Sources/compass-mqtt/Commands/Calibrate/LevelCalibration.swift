import HeadingPipeline

/// `calibrate --level`: how the sensors lie in a vessel at rest that floats as she should.
struct LevelCalibration {
    let feed: any ReadingFeed
    let options: CalibrateOptions
    let settings: Settings

    /// A resting boat's small movements are gone from a mean of so long.
    private static let duration = Interval.seconds(10)

    func run() throws(FeedFault) -> ExitStatus {
        var level = RestingLevel()
        var sensor: SensorDescription?
        var mounting = Mounting(settings: settings.accelerometer, driverMatrix: nil)
        var began: Interval?
        StandardStream.output.writeLine("keep her still and level for \(Int(Self.duration.seconds)) seconds")
        var loop = try FeedLoop(feed, limit: options.limit)
        let end = try loop.run { reading in
            switch reading.content {
            case .opened(.accelerometer, let description?):
                sensor = description
                mounting = Mounting(settings: settings.accelerometer, driverMatrix: description.mountMatrix)
            case .sample(let sample) where sample.source == .accelerometer:
                level.take(specificForce: mounting.bodyFrame(sample.vector))
            default: break
            }
        } look: { elapsed in
            if began == nil, level.count > 0 { began = elapsed }
            return began.map { elapsed - $0 >= Self.duration } ?? false
        }
        if end == .abandoned { return FeedLoop.abandon() }
        guard let sensor else { throw FeedFault("no accelerometer is there") }
        switch level.result() {
        case .failure(let refused): throw FeedFault("not saved: \(refused.text)")
        case .success(let tilt): return try save(tilt, sensor)
        }
    }

    private func save(_ tilt: LevelTilt, _ sensor: SensorDescription) throws(FeedFault) -> ExitStatus {
        let record = CalibrationRecord(
            sensor: sensor.identity, time: SaneClock.knownTime(), place: nil, content: .level(tilt))
        let path = try feed.save(record)
        StandardStream.output.writeLine(
            "\(sensor.identity): roll \(decimalText(tilt.roll.degrees, places: 2))°, pitch"
                + " \(decimalText(tilt.pitch.degrees, places: 2))° from now on count as level (for the other sensors"
                + " on its board too); saved in \(path)")
        return .done
    }
}
