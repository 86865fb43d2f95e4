/// The last fixes, and the motion they show. A short run follows a turn or a stop; where noise hides the motion
/// in it, longer runs are tried for as long as a straight line still fits them.
struct FixTrack: Sendable {
    struct Point: Sendable {
        var earthFixedMeters: Vector3
        /// On the axis of `FixClock`.
        var moment: Instant
    }

    /// The first holds four fixes of a receiver that gives one a second; the slack is for uneven epochs.
    private static let runs = [3.25, 6.25, 12.25, 24.25].map(Interval.seconds)
    /// Nothing is said of a motion that was seen for less.
    private static let shortest = Interval.seconds(1.5)
    /// Fixes closer in time than this add nothing.
    private static let spacing = Interval.seconds(0.15)
    private static let capacity = 170

    private var points: [Point] = []
    private var noise = NoiseEstimate()
    private var gate: CourseGate
    private(set) var motion: Motion?

    /// What the fixes show, each with the half-width of its 95 % interval.
    struct Motion: Sendable {
        var speed: Speed
        var speedAccuracy: Speed
        /// `nil` at rest, or where noise hides it.
        var course: Angle?
        var courseAccuracy: Angle?
    }

    init(minimumCourseSpeed: Speed) {
        gate = CourseGate(opening: minimumCourseSpeed)
        points.reserveCapacity(Self.capacity)
    }

    mutating func forget() {
        points.removeAll(keepingCapacity: true)
        noise = NoiseEstimate()
        gate.close()
        motion = nil
    }

    mutating func add(_ position: GeoPosition, accuracy: Length, at moment: Instant) {
        if let last = points.last, moment - last.moment < Self.spacing { return }
        if let longest = Self.runs.last {
            points.removeFirst(points.firstIndex { moment - $0.moment <= longest } ?? points.count)
        }
        if points.count == Self.capacity { points.removeFirst() }
        points.append(Point(earthFixedMeters: position.earthFixedMeters, moment: moment))
        let horizon = position.horizon
        let newest = run(Self.runs[0])
        guard let first = newest.first, moment - first.moment >= Self.shortest,
            let short = StraightTrack(newest, horizon: horizon)
        else { return motion = nil }
        noise.add(short, horizontalAccuracy: accuracy)
        update(with: bestTrack(short, horizon))
    }

    /// The last fixes within `length`, but at least three.
    private func run(_ length: Interval) -> ArraySlice<Point> {
        guard let newest = points.last else { return [] }
        let start = points.firstIndex { newest.moment - $0.moment <= length } ?? points.endIndex
        return points[min(start, max(0, points.count - 3))...]
    }

    /// The shortest run in which the motion stands out from the noise ten times.
    private func bestTrack(
        _ short: StraightTrack, _ horizon: (north: Vector3, east: Vector3)
    ) -> StraightTrack {
        var best = short
        for length in Self.runs.dropFirst() where best.velocity.speed < noise.margin(best) * 2 {
            guard let longer = StraightTrack(run(length), horizon: horizon), longer.spread > best.spread,
                noise.allows(longer)
            else { break }
            best = longer
        }
        return best
    }

    private mutating func update(with track: StraightTrack) {
        let speed = track.velocity.speed
        let accuracy = noise.velocityAccuracy(track)
        gate.update(speed: speed, margin: noise.margin(track))
        motion = Motion(
            speed: speed, speedAccuracy: accuracy, course: gate.isOpen ? track.velocity.course : nil,
            courseAccuracy: ReceiverMotion.courseAccuracy(speed: speed, accuracy: accuracy))
    }
}
