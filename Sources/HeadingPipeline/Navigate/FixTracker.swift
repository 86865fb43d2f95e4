/// Makes position, speed and course from fixes: a fix goes in, what is known then comes out. Speed and course
/// are the receiver's where it gives them, else they come from successive fixes.
package struct FixTracker: Sendable {
    package enum Outcome: Sendable {
        case navigation(Navigation)
        /// The receiver has no fix; what was known grows old.
        case noFix
        case refused(Rejection)
    }

    /// The newest believed state, however old; see ``navigation(at:)``.
    package private(set) var latest: Navigation?
    private let staleAfter: Interval

    private var clock = FixClock()
    private var gate = WildFixGate()
    private var quotient = SpeedQuotient()
    private var receiver: ReceiverMotion
    private var track: FixTrack
    private var horizontalError = Recent<Length>()
    private var altitude = Recent<Length>()
    private var ellipsoidHeight = Recent<Length>()
    private var satellites: Int?

    package init(settings: Settings.Gps) {
        staleAfter = settings.staleAfter
        receiver = ReceiverMotion(minimumCourseSpeed: settings.minimumCourseSpeed)
        track = FixTrack(minimumCourseSpeed: settings.minimumCourseSpeed)
    }

    /// What is known now; `nil` when the last fix is too old.
    package func navigation(at now: Instant) -> Navigation? {
        guard let latest, now - latest.at <= staleAfter else { return nil }
        return latest
    }

    package mutating func update(_ fix: GpsFix, at now: Instant) -> Outcome {
        guard fix.mode != .none, let position = fix.position else { return .noFix }
        let moment = clock.moment(of: fix.time, arrivingAt: now)
        horizontalError.take(fix.horizontalError, at: now)
        let accuracy = horizontalError.current(at: now) ?? Self.assumedAccuracy(fix.mode)
        let place = WildFixGate.Place(
            earthFixedMeters: position.earthFixedMeters, accuracy: accuracy,
            speed: fix.course == nil ? nil : fix.speed, moment: moment)
        let speedIsQuotient = quotient.recognizes(fix, at: place.earthFixedMeters)
        switch gate.judge(place) {
        case .wild: return .refused(.wildFix)
        case .relocated: forgetMotion()
        case .near: break
        }
        track.add(position, accuracy: accuracy, at: moment)
        if !speedIsQuotient {
            receiver.update(
                fix, horizontalError: horizontalError.current(at: now), moment: moment, at: now)
        }
        let navigation = describe(fix, at: position, accuracy, now)
        latest = navigation
        return .navigation(navigation)
    }

    /// Takes the number of satellites in use. gpsd's partial reports show 0 while there is a fix: that is not
    /// believed.
    package mutating func update(_ report: SatelliteReport, at now: Instant) {
        guard let used = report.used, used > 0 || navigation(at: now) == nil else { return }
        satellites = used
        latest?.satellites = used
    }

    private mutating func forgetMotion() {
        track.forget()
        receiver.forget()
    }

    private mutating func describe(
        _ fix: GpsFix, at position: GeoPosition, _ accuracy: Length, _ now: Instant
    ) -> Navigation {
        altitude.take(fix.altitude, at: now)
        ellipsoidHeight.take(fix.ellipsoidHeight, at: now)
        let hasHeight = fix.mode == .threeDimensional
        return Navigation(
            at: now, time: fix.time, mode: fix.mode, position: position, horizontalAccuracy: accuracy,
            altitude: hasHeight ? altitude.current(at: now) : nil,
            ellipsoidHeight: hasHeight ? ellipsoidHeight.current(at: now) : nil,
            satellites: satellites, speed: speed(at: now), course: course(at: now))
    }

    private func speed(at now: Instant) -> SpeedOverGround? {
        if let given = receiver.speed(at: now) { return given }
        return track.motion.map {
            SpeedOverGround(speed: $0.speed, accuracy: $0.speedAccuracy, origin: .fixes, at: now)
        }
    }

    private func course(at now: Instant) -> CourseOverGround? {
        if receiver.givesCourse(at: now) { return receiver.course(at: now) }
        guard let motion = track.motion, let course = motion.course, let accuracy = motion.courseAccuracy,
            !receiver.isAtRest(at: now)
        else { return nil }
        return CourseOverGround(course: course, accuracy: accuracy, origin: .fixes, at: now)
    }

    /// For a receiver that does not say: the worst place on earth according to the GPS Standard Positioning
    /// Service Performance Standard (2020), 15 m; twice that where the height is a guess.
    private static func assumedAccuracy(_ mode: GpsFix.Mode) -> Length {
        mode == .threeDimensional ? .meters(15) : .meters(30)
    }
}
