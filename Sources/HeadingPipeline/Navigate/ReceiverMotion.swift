import Glibc

/// Speed and course as the receiver gives them, with what its accuracy must be where it does not say.
struct ReceiverMotion: Sendable {
    /// Receivers state 0.05 to 0.1 m/s (1 sigma) for a speed by Doppler shift in the open.
    private static let bestAccuracy = Speed.metersPerSecond(0.2)
    /// Slowing down from a walking pace to a stop in an epoch.
    private static let largestStep = Speed.metersPerSecond(0.6)
    /// With nothing known of the sky.
    private static let assumedAccuracy = Speed.metersPerSecond(0.3)
    /// Time constant of the mean velocity that the course must show: at rest the courses point anywhere and
    /// cancel.
    private static let averaging = Interval.seconds(2)

    private var speed = Recent<SpeedOverGround>()
    private var speedError = Recent<Speed>()
    private var course = Recent<CourseOverGround>()
    private var courseWasGiven = Recent<Bool>()
    private var mean = HorizontalVelocity.zero
    private var meanWeight = 0.0
    private var lastMoment: Instant?
    private var gate: CourseGate

    init(minimumCourseSpeed: Speed) { gate = CourseGate(opening: minimumCourseSpeed) }

    mutating func forget() { self = ReceiverMotion(minimumCourseSpeed: gate.opening) }

    /// The receiver's speed, unless it has given none lately.
    func speed(at now: Instant) -> SpeedOverGround? { speed.current(at: now) }

    /// The receiver's course, withheld at rest.
    func course(at now: Instant) -> CourseOverGround? { gate.isOpen ? course.current(at: now) : nil }

    /// Whether the receiver gives courses, so that none must be made from fixes.
    func givesCourse(at now: Instant) -> Bool { courseWasGiven.current(at: now) != nil }

    /// Whether the receiver says that the vessel does not move.
    func isAtRest(at now: Instant) -> Bool {
        speed.current(at: now).map { $0.speed < gate.closing } ?? false
    }

    mutating func update(_ fix: GpsFix, horizontalError: Length?, moment: Instant, at now: Instant) {
        guard let speed = fix.speed else { return }
        // Between two reports with a course, a speed without one may be gpsd's own quotient of the last two
        // positions, several times too large or too small; or the receiver leaves the course out at rest.
        if fix.course == nil, givesCourse(at: now), !comesToRest(speed, at: now) { return }
        speedError.take(fix.speedError, at: now)
        let accuracy = speedError.current(at: now) ?? Self.typicalAccuracy(horizontalError)
        self.speed.take(
            SpeedOverGround(speed: speed, accuracy: accuracy, origin: .receiver, at: now), at: now)
        guard let course = fix.course else { return gate.close() }
        courseWasGiven.take(true, at: now)
        average(HorizontalVelocity(speed: speed, course: course), at: moment)
        gate.update(speed: min(speed, mean.speed))
        // Some receivers give 0 for a course they do not know.
        if course == .zero, speed < gate.opening { return self.course.forget() }
        guard let courseAccuracy = fix.courseError ?? Self.courseAccuracy(speed: speed, accuracy: accuracy)
        else { return self.course.forget() }
        self.course.take(
            CourseOverGround(course: course, accuracy: courseAccuracy, origin: .receiver, at: now), at: now)
    }

    /// Whether the vessel stops with this speed, and can have done so within an epoch.
    private func comesToRest(_ speed: Speed, at now: Instant) -> Bool {
        guard speed < gate.closing, let last = self.speed(at: now)?.speed else { return false }
        return last - speed <= Self.largestStep
    }

    private mutating func average(_ velocity: HorizontalVelocity, at moment: Instant) {
        let elapsed = lastMoment.map { (moment - $0).seconds } ?? 0
        lastMoment = moment
        let kept = meanWeight * exp(-elapsed / Self.averaging.seconds)
        let added = meanWeight == 0 ? 1 : 1 - exp(-elapsed / Self.averaging.seconds)
        meanWeight = kept + added
        guard meanWeight > 0 else { return }
        mean.north = (mean.north * kept + velocity.north * added) / meanWeight
        mean.east = (mean.east * kept + velocity.east * added) / meanWeight
    }

    /// A bad sky spoils speed and position alike: 2 % of the position's error each second.
    private static func typicalAccuracy(_ horizontalError: Length?) -> Speed {
        horizontalError.map { max(bestAccuracy, .metersPerSecond(0.02 * $0.meters)) } ?? assumedAccuracy
    }

    /// What an error of velocity across the track does to the course; `nil` where it may point anywhere.
    static func courseAccuracy(speed: Speed, accuracy: Speed) -> Angle? {
        accuracy < speed ? max(.degrees(0.5), .arcSine(accuracy / speed)) : nil
    }
}
