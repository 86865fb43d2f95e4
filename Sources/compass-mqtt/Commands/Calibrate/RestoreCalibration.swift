import HeadingPipeline

/// `calibrate --restore`: back to the calibration before the one in force.
struct RestoreCalibration {
    private let feed: any ReadingFeed
    /// A sensor is opened, or told by the agent, within a moment.
    private static let patience = Interval.seconds(10)

    init(_ feed: any ReadingFeed) { self.feed = feed }

    func run(_ kind: CalibrationRecord.Kind) throws(FeedFault) -> ExitStatus {
        let source = kind.source
        guard let sensor = try feed.sensor(source, within: Self.patience) else {
            throw FeedFault("no \(source.name) is there, so there is nothing to go back for")
        }
        guard let path = try feed.restore(kind, of: sensor.identity) else {
            throw FeedFault("\(sensor.identity): no calibration is kept but the one in force")
        }
        StandardStream.output.writeLine("\(sensor.identity): back to the one before, in \(path)")
        return .done
    }
}

extension ReadingFeed {
    /// Waits for the sensor that a source reads.
    fileprivate func sensor(_ source: Source, within limit: Interval) throws(FeedFault) -> SensorDescription?
    {
        let deadline = SystemClock.now() + limit
        var batch: [Reading] = []
        while SystemClock.now() < deadline {
            DescriptorWait.untilReadable(descriptor, until: deadline)
            try take(into: &batch)
            for reading in batch {
                if case .opened(source, let description?) = reading.content { return description }
            }
        }
        return nil
    }
}
