/// Roll, pitch.
struct TiltContent: TopicContent {
    var time: UTCTime?
    var angle: Angle
    var accuracy: Angle

    func change(from sent: TiltContent, _ deadbands: Deadbands) -> Throttle.Change {
        Throttle.Change(angle - sent.angle, deadband: deadbands.angle, step: .degrees(0.1))
            .or(.ofAccuracy(sent.accuracy, accuracy))
    }

    func write(to writer: inout PayloadWriter, _ units: Settings.Units) {
        writer.number("value", angle.degrees, places: 1)
        writer.word("unit", "°")
        writer.number("accuracy", accuracy.degrees, places: 1)
        writer.time("time", time)
    }
}

extension RateMeasurement: TopicContent {
    /// A rate is worth a message when half a minute of it makes the deadband of an angle... and at least
    /// 6 degrees per minute, which no gyroscope of this class resolves.
    func change(from sent: RateMeasurement, _ deadbands: Deadbands) -> Throttle.Change {
        let deadband = max(
            AngularRate.degreesPerMinute(6), .degreesPerMinute(2 * deadbands.angle.degrees))
        return Throttle.Change(rate - sent.rate, deadband: deadband, step: .degreesPerMinute(0.1))
            .or(.ofAccuracy(sent.accuracy, accuracy))
    }

    func write(to writer: inout PayloadWriter, _ units: Settings.Units) {
        writer.number("value", rate.degreesPerMinute, places: 1)
        writer.word("unit", "°/min")
        writer.number("accuracy", accuracy.degreesPerMinute, places: 1)
        writer.time("time", time)
    }
}

extension SpeedMeasurement: TopicContent {
    func change(from sent: SpeedMeasurement, _ deadbands: Deadbands) -> Throttle.Change {
        if speed?.origin != sent.speed?.origin { return .urgent }
        return Throttle.Change.between(sent.speed?.speed, speed?.speed) {
            Throttle.Change($1 - $0, deadband: deadbands.speed, step: .metersPerSecond(0.01))
        }
    }

    func write(to writer: inout PayloadWriter, _ units: Settings.Units) {
        writer.number("value", speed?.speed.value(in: units.speed), places: 2)
        writer.text("unit", units.speed.rawValue)
        writer.number("accuracy", speed?.accuracy.value(in: units.speed), places: 2)
        writer.time("time", time)
        writer.text("source", speed?.origin.rawValue)
    }
}

extension Speed {
    package func value(in unit: Settings.SpeedUnit) -> Double {
        switch unit {
        case .knots: knots
        case .metersPerSecond: metersPerSecond
        case .kilometersPerHour: metersPerSecond * 3.6
        case .milesPerHour: metersPerSecond * (3600 / 1609.344)
        }
    }
}
