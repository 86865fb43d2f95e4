import Glibc

extension PositionMeasurement: TopicContent {
    func change(from sent: PositionMeasurement, _ deadbands: Deadbands) -> Throttle.Change {
        if isThreeDimensional != sent.isThreeDimensional { return .urgent }
        let moved = position.roughDistance(to: sent.position)
        return Throttle.Change(moved, deadband: deadbands.position, step: .meters(0.01))
            .or(.ofAccuracy(sent.accuracy, accuracy))
    }

    func write(to writer: inout PayloadWriter, _ units: Settings.Units) {
        writer.number("latitude", position.latitude.degrees, places: 7)
        writer.number("longitude", position.longitude.degrees, places: 7)
        writer.number("gps_accuracy", accuracy.meters, places: 1)
        writer.number("altitude", altitude?.meters, places: 1)
        writer.word("fix", isThreeDimensional ? "3d" : "2d")
        writer.number("satellites", satellites)
        writer.time("time", time)
    }
}

extension GeoPosition {
    /// Good to a per cent over short distances away from the poles: enough for a deadband.
    fileprivate func roughDistance(to other: GeoPosition) -> Length {
        let north = (other.latitude - latitude).radians
        let east = Angle.shortest(from: longitude, to: other.longitude).radians * latitude.cosine
        return .meters(6_371_000 * hypot(north, east))
    }
}

extension DeclinationMeasurement: TopicContent {
    func change(from sent: DeclinationMeasurement, _ deadbands: Deadbands) -> Throttle.Change {
        if source != sent.source || isExpired != sent.isExpired { return .urgent }
        return Throttle.Change(declination - sent.declination, deadband: .degrees(0.05), step: .degrees(0.01))
    }

    func write(to writer: inout PayloadWriter, _ units: Settings.Units) {
        writer.number("value", declination.degrees, places: 2)
        writer.word("unit", "°")
        writer.number("accuracy", accuracy.degrees, places: 2)
        writer.time("time", time)
        writer.text("source", source.rawValue)
        writer.flag("model_expired", isExpired)
    }
}

extension FieldMeasurement: TopicContent {
    func change(from sent: FieldMeasurement, _ deadbands: Deadbands) -> Throttle.Change {
        if isDisturbed != sent.isDisturbed || (scaleSuspicion == nil) != (sent.scaleSuspicion == nil) {
            return .urgent
        }
        let dip = Throttle.Change.between(sent.inclination, inclination) {
            Throttle.Change($1 - $0, deadband: max(.degrees(2), deadbands.angle), step: .degrees(0.1))
        }
        return Throttle.Change(
            strength - sent.strength, deadband: deadbands.field, step: .microtesla(0.01)
        ).or(dip)
    }

    func write(to writer: inout PayloadWriter, _ units: Settings.Units) {
        writer.number("value", strength.microtesla, places: 2)
        writer.word("unit", "µT")
        writer.number("accuracy", accuracy?.microtesla, places: 2)
        writer.time("time", time)
        writer.number("inclination", inclination?.degrees, places: 1)
        writer.number("expected", expected?.strength.microtesla, places: 2)
        writer.number("expected_inclination", expected?.inclination.degrees, places: 1)
        writer.flag("interference", isDisturbed)
        if let scaleSuspicion { writer.number("scale_suspect", scaleSuspicion, places: 3) }
    }
}
