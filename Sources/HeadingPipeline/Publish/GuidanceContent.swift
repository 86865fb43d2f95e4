extension DestinationMeasurement: TopicContent {
    func change(from sent: DestinationMeasurement, _ deadbands: Deadbands) -> Throttle.Change {
        if setAt != sent.setAt || isReached != sent.isReached { return .urgent }
        return Throttle.Change.between(sent.approach, approach) { $1.change(from: $0, deadbands) }
    }

    func write(to writer: inout PayloadWriter, _ units: Settings.Units) {
        writer.text("name", waypoint.name)
        writer.number("latitude", waypoint.position.latitude.degrees, places: 7)
        writer.number("longitude", waypoint.position.longitude.degrees, places: 7)
        writer.direction("bearing", approach?.bearing)
        writer.direction("bearing_magnetic", approach?.bearingMagnetic)
        writer.number("distance", approach?.distance.value(in: units.distance), places: units.distance.places)
        writer.text("distance_unit", units.distance.rawValue)
        writer.number("velocity_made_good", approach?.velocityMadeGood?.value(in: units.speed), places: 2)
        writer.text("speed_unit", units.speed.rawValue)
        writer.number("time_to_go", approach?.timeToGo?.seconds, places: 0)
        writer.flag("arrived", isReached)
        writer.time("time", time)
    }
}

extension Approach {
    /// From far off a mile is nothing, near by a metre is something.
    fileprivate func change(from sent: Approach, _ deadbands: Deadbands) -> Throttle.Change {
        let bearings = Throttle.Change.between(sent.bearing, bearing) {
            Throttle.Change(
                Angle.shortest(from: $0, to: $1), deadband: deadbands.angle, step: .degrees(0.1))
        }
        let distances = Throttle.Change(
            distance - sent.distance, deadband: max(deadbands.position, distance * 0.001), step: .meters(0.1))
        let velocities = Throttle.Change.between(sent.velocityMadeGood, velocityMadeGood) {
            Throttle.Change($1 - $0, deadband: deadbands.speed, step: .metersPerSecond(0.01))
        }
        let known: Throttle.Change =
            (sent.timeToGo == nil) == (timeToGo == nil)
                && (sent.bearingMagnetic == nil) == (bearingMagnetic == nil) ? .none : .urgent
        return bearings.or(distances).or(velocities).or(known)
    }
}

extension SteerMeasurement: TopicContent {
    func change(from sent: SteerMeasurement, _ deadbands: Deadbands) -> Throttle.Change {
        if setAt != sent.setAt || reference != sent.reference { return .urgent }
        return Self.change(sent.course, course, deadbands)
            .or(Self.change(sent.error, error, deadbands))
            .or(Self.change(sent.courseError, courseError, deadbands))
    }

    private static func change(_ sent: Angle?, _ new: Angle?, _ deadbands: Deadbands) -> Throttle.Change {
        Throttle.Change.between(sent, new) {
            Throttle.Change(
                Angle.shortest(from: $0, to: $1), deadband: deadbands.angle, step: .degrees(0.1))
        }
    }

    func write(to writer: inout PayloadWriter, _ units: Settings.Units) {
        writer.direction("value", course)
        writer.word("unit", "°")
        writer.word("reference", reference == .trueNorth ? "true" : "magnetic")
        writer.number("error", error?.degrees, places: 1)
        switch missing {
        case .heading: writer.word("reason", "no heading")
        case .declination: writer.word("reason", "no declination")
        case nil: break
        }
        writer.number("error_course", courseError?.degrees, places: 1)
        writer.time("time", time)
    }
}

extension TripMeasurement: TopicContent {
    func change(from sent: TripMeasurement, _ deadbands: Deadbands) -> Throttle.Change {
        if totals.since != sent.totals.since || totals.distance < sent.totals.distance { return .urgent }
        let way = Throttle.Change(
            totals.distance - sent.totals.distance, deadband: max(deadbands.position, .meters(10)),
            step: .meters(0.1))
        return way.or(
            Throttle.Change(
                totals.maximumSpeed - sent.totals.maximumSpeed, deadband: deadbands.speed,
                step: .metersPerSecond(0.01)))
    }

    func write(to writer: inout PayloadWriter, _ units: Settings.Units) {
        writer.number("value", totals.distance.value(in: units.distance), places: units.distance.places)
        writer.text("unit", units.distance.rawValue)
        writer.number("max_speed", totals.maximumSpeed.value(in: units.speed), places: 2)
        writer.text("speed_unit", units.speed.rawValue)
        writer.time("since", totals.since)
        writer.time("time", time)
    }
}

extension Length {
    package func value(in unit: Settings.DistanceUnit) -> Double {
        switch unit {
        case .nauticalMiles: nauticalMiles
        case .kilometers: kilometers
        case .meters: meters
        case .miles: meters / 1609.344
        }
    }
}

extension Settings.DistanceUnit {
    /// Decimals worth printing.
    fileprivate var places: Int { self == .meters ? 0 : 2 }
}
