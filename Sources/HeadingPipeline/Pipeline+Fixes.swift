// Fixes and the clock.
extension Pipeline {
    mutating func take(_ fix: GpsFix, at now: Instant) -> Measurements {
        switch fixes.update(fix, at: now) {
        case .navigation(let navigation): return take(navigation)
        case .noFix:
            sources.gps.explain("the receiver has no fix")
            return Measurements()
        case .refused(let rejection): return refuse(rejection, from: .gps)
        }
    }

    mutating func take(_ navigation: Navigation) -> Measurements {
        let now = navigation.at
        reference.update(
            position: navigation.position, height: navigation.ellipsoidHeight ?? navigation.altitude,
            receiverTime: navigation.time, at: now)
        if navigation.time != nil { wallClock.receiver(reference.date(at: now), at: now) }
        /// The receiver's own time where the fix has one; a value that was carried over keeps the time of its fix.
        func time(at moment: Instant) -> UTCTime? {
            navigation.time == nil ? wallClock.time(at: moment) : reference.date(at: moment)
        }
        estimator.update(speed: navigation.speed?.speed, at: now)
        watchCalibration(navigation)
        var new = accepted(.gps, at: now)
        new.position = PositionMeasurement(navigation, time: time(at: now))
        new.speed = SpeedMeasurement(navigation.speed, time: time(at: navigation.speed?.at ?? now))
        new.course = CourseMeasurement(navigation.course, time: time(at: navigation.course?.at ?? now))
        new.declination = declinationMeasurement(at: now)
        guide(navigation, &new, time: time(at: now))
        return new
    }

    mutating func take(_ report: SatelliteReport, at now: Instant) -> Measurements {
        fixes.update(report, at: now)
        return Measurements()
    }

    mutating func take(wallClock time: UTCTime, at now: Instant) -> Measurements {
        wallClock.machine(time, at: now)
        reference.update(wallClock: time, at: now)
        var new = Measurements()
        new.declination = declinationMeasurement(at: now)
        return new
    }
}
