// What the operator asks for: where to go, what to steer, the trip, and settings.
extension Pipeline {
    mutating func take(_ command: OperatorCommand, at now: Instant) -> Measurements {
        var new = Measurements()
        switch command {
        case .destination(let waypoint):
            destination = bound(for: waypoint, at: now)
            new.destination = destinationNews(at: now)
        case .steer(let order):
            steer = ordered(order, at: now)
            new.steer = steerNews(at: now)
        case .resetTrip:
            trip.reset(at: wallClock.time(at: now))
            new.trip = tripMeasurement(time: wallClock.time(at: now))
        case .reference, .smoothing, .headingOffset:
            settings.heading.adopt(command)
            estimator.adopt(settings.heading)
            new.settings = settings.heading
            // Else the next heading tells it, with the error.
            if steer != nil, shown == nil { new.steer = steerNews(at: now) }
        }
        return new
    }

    private func bound(for waypoint: Waypoint?, at now: Instant) -> Destination? {
        waypoint.map { Destination($0, arrivalRadius: settings.navigation.arrivalRadius, setAt: now) }
    }

    private func ordered(_ order: OrderedCourse?, at now: Instant) -> CourseToSteer? {
        order.map { CourseToSteer($0.course, from: $0.reference ?? shownReference, setAt: now) }
    }

    /// The command as it will be understood: from which north a course is counted does not change any more.
    package func settled(_ command: OperatorCommand) -> OperatorCommand {
        guard case .steer(let order?) = command else { return command }
        return .steer(OrderedCourse(order.course, from: order.reference ?? shownReference))
    }

    /// The trip goes on from where the last run has left it.
    mutating func resume(_ totals: TripTotals, at now: Instant) -> Measurements {
        let time = wallClock.time(at: now)
        var totals = totals
        totals.since = totals.since ?? time
        trip.resume(totals)
        var new = Measurements()
        new.trip = tripMeasurement(time: time)
        return new
    }

    /// After each heading.
    mutating func show(_ heading: HeadingMeasurement?, _ new: inout Measurements, at now: Instant) {
        shown = heading
        if steer != nil { new.steer = steerNews(at: now) }
    }

    /// After each fix.
    mutating func guide(_ navigation: Navigation, _ new: inout Measurements, time: UTCTime?) {
        trip.update(navigation, time: time)
        new.trip = tripMeasurement(time: time)
        lastCourse = navigation.course?.course
        if destination != nil { new.destination = destinationNews(at: navigation.at) }
        if steer != nil { new.steer = steerNews(at: navigation.at) }
    }

    /// A bearing from where the vessel was, or an error of a heading that was, must not stand.
    mutating func loseGuidance(by source: Source, _ new: inout Measurements, at now: Instant) {
        switch source {
        case .magnetometer: shown = nil
        case .gps: lastCourse = nil
        case .accelerometer, .gyroscope: return
        }
        if source == .gps, destination != nil { new.destination = destinationNews(at: now) }
        if steer != nil { new.steer = steerNews(at: now) }
    }

    private mutating func destinationNews(at now: Instant) -> DestinationNews {
        guard var bound = destination else { return .cleared }
        let navigation = sources.gps.isOnline ? fixes.navigation(at: now) : nil
        let approach = navigation.map {
            bound.approach(from: $0, declination: reference.field?.declination)
        }
        destination = bound
        return .underWay(
            DestinationMeasurement(
                time: wallClock.time(at: now), waypoint: bound.waypoint, setAt: bound.setAt,
                approach: approach, isReached: bound.isReached))
    }

    private func steerNews(at now: Instant) -> SteerNews {
        guard let steer else { return .cleared }
        let north = shownReference
        let declination = reference.field?.declination
        let converted = steer.direction(from: north, declination: declination)
        return .steering(
            SteerMeasurement(
                time: wallClock.time(at: now), course: converted ?? steer.course, setAt: steer.setAt,
                reference: converted == nil ? steer.reference : north,
                error: shown.flatMap {
                    steer.error(of: $0.shownHeading, from: north, declination: declination)
                },
                missing: converted == nil ? .declination : shown == nil ? .heading : nil,
                courseError: lastCourse.flatMap {
                    steer.error(of: $0, from: .trueNorth, declination: declination)
                }))
    }

    /// Of the heading that is shown, or would be.
    private var shownReference: Settings.Reference {
        shown?.shownReference ?? (reference.field == nil ? .magnetic : settings.heading.reference)
    }

    private func tripMeasurement(time: UTCTime?) -> TripMeasurement {
        TripMeasurement(time: time, totals: trip.totals)
    }
}
