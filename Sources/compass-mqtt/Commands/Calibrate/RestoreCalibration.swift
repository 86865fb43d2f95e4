import HeadingPipeline

/// `calibrate --restore`: back to the calibration before the one in force.
struct RestoreCalibration {
    private let feed: any ReadingFeed
    /// A sensor is opened, or told by the agent, within a moment.
    private static let patience = Interval.seconds(10)

    init(_ feed: any ReadingFeed) { self.feed = feed }

    func run(_ kind: CalibrationRecord.Kind) throws(FeedFault) -> ExitStatus {
        var sensor: SensorDescription?
        var loop = try FeedLoop(feed, limit: Self.patience)
        let end = try loop.run {
            if case .opened(kind.source, let description?) = $0.content { sensor = description }
        } look: { _ in
            sensor != nil
        }
        if end == .abandoned { return FeedLoop.abandon() }
        guard let sensor else {
            throw FeedFault("no \(kind.source.name) is there, so there is nothing to go back for")
        }
        guard let path = try feed.restore(kind, of: sensor.identity) else {
            throw FeedFault("\(sensor.identity): no calibration is kept but the one in force")
        }
        StandardStream.output.writeLine("\(sensor.identity): back to the one before, in \(path)")
        return .done
    }
}
