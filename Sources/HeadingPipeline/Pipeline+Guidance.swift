// What the operator asks for: where to go, what to steer, the trip, and settings.
extension Pipeline {
    mutating func take(_ command: OperatorCommand, at now: Instant) -> Measurements {
        var new = Measurements()
        switch command {
        case .destination(let waypoint):
            destination = bound(for: waypoint, at: now)
            new.destination = destinationNews(at: now)
        case .steer(let course):
            steer = ordered(course, at: now)
            new.steer = steerNews(at: now)
        case .resetTrip:
            trip.reset(at: wallClock.time(at: now))
            new.trip = tripMeasurement(time: wallClock.time(at: now))
        case .reference, .smoothing, .headingOffset:
            settings.heading.adopt(command)
            estimator.adopt(settings.heading)
            new.settings = settings.heading
        }
        return new
    }

    private func bound(for waypoint: Waypoint?, at now: Instant) -> Destination? {
        waypoint.map { Destination($0, arrivalRadius: settings.navigation.arrivalRadius, setAt: now) }
    }

    private func ordered(_ course: Angle?, at now: Instant) -> CourseToSteer? {
        course.map { CourseToSteer($0, setAt: now) }
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
        let reference = shown?.shownReference ?? expectedReference
        return .steering(
            SteerMeasurement(
                time: wallClock.time(at: now), course: steer.course, setAt: steer.setAt,
                reference: reference,
                error: shown.map { steer.error(of: $0.shownHeading) },
                courseError: lastCourse.flatMap {
                    steer.error(
                        ofTrueCourse: $0, reference: reference,
                        declination: self.reference.field?.declination)
                }))
    }

    /// While there is no heading.
    private var expectedReference: Settings.Reference {
        reference.field == nil ? .magnetic : settings.heading.reference
    }

    private func tripMeasurement(time: UTCTime?) -> TripMeasurement {
        TripMeasurement(time: time, totals: trip.totals)
    }
}
