/// The log of a trip: how far over ground and how fast since it was reset, from fix to fix that she can have made. While
/// she moves, as her course tells, short legs count. Without a course she is at rest or drifts: then only what lies beyond
/// the wandering of a position at rest is way.
package struct Trip: Hashable, Sendable {
    package private(set) var totals: TripTotals
    /// Up to where the distance is counted.
    private var counted: Mark?
    private var last: Mark?
    private var movedAt: Instant?
    private var strays = 0

    private struct Mark: Hashable {
        var position: GeoPosition
        var accuracy: Length
        var speed: Speed?
        var time: UTCTime?
        var at: Instant
    }

    /// Shorter legs hold more noise than way.
    private static let shortestLeg = Length.meters(10)
    /// Positions at rest wander by their stated accuracy, and an anchor gives a boat room: way is what lies farther away.
    private static let shortestDrift = Length.meters(50)
    private static let driftAccuracies = 10.0
    /// In so short a one a position does not wander: a course that comes and goes is one way.
    private static let shortStop = Interval.seconds(30)
    /// What happened in a longer silence nobody knows.
    private static let longestGap = Interval.seconds(600)
    /// So many fixes in a row beyond reach are no strays: the vessel was elsewhere before.
    private static let believedAfter = 5
    /// For a vessel whose speed nobody tells.
    private static let fastestUnknown = Speed.metersPerSecond(30)

    package init(_ totals: TripTotals = TripTotals()) { self.totals = totals }

    /// `time` is when the new trip begins, where a clock can tell.
    package mutating func reset(at time: UTCTime?) {
        totals = TripTotals(since: time)
        counted = last
    }

    /// Goes on from what was kept.
    package mutating func resume(_ totals: TripTotals) { self.totals = totals }

    /// Takes a believed fix; `time` as in `reset`.
    package mutating func update(_ navigation: Navigation, time: UTCTime?) {
        if totals.since == nil { totals.since = time }
        let new = Mark(
            position: navigation.position, accuracy: navigation.horizontalAccuracy,
            speed: navigation.speed?.speed, time: navigation.time, at: navigation.at)
        guard let last, new.at - last.at <= Self.longestGap else { return start(new) }
        // A receiver's further reports of the same epoch tell nothing new.
        guard new.time == nil || new.time != last.time else { return }
        guard isWithinReach(new, of: last, isOwnSpeed: navigation.speed?.origin == .receiver) else {
            strays += 1
            if strays >= Self.believedAfter { start(new) }
            return
        }
        strays = 0
        self.last = new
        follow(new, after: last, isMoving: navigation.course != nil)
    }

    private mutating func start(_ mark: Mark) {
        last = mark
        counted = nil
        movedAt = nil
        strays = 0
    }

    private mutating func follow(_ new: Mark, after last: Mark, isMoving: Bool) {
        let wasMoving = movedAt.map { new.at - $0 <= Self.shortStop } ?? false
        if isMoving { movedAt = new.at }
        // Two in a row: one alone may be a slip.
        if isMoving, let before = last.speed, let speed = new.speed {
            totals.maximumSpeed = max(totals.maximumSpeed, min(before, speed))
        }
        guard let counted else {
            self.counted = new
            return
        }
        let leg = Geodesic(from: counted.position, to: new.position).distance
        if leg >= shortestLeg(from: counted, to: new, isMoving, wasMoving) {
            totals.distance = totals.distance + leg
            if !isMoving { noteDrift(leg, in: new.at - counted.at) }
            self.counted = new
        } else if isMoving, !wasMoving {
            // Where she lay is known no better than so.
            self.counted = new
        }
    }

    private func shortestLeg(
        from counted: Mark, to new: Mark, _ isMoving: Bool, _ wasMoving: Bool
    ) -> Length {
        let accuracy = max(counted.accuracy, new.accuracy)
        guard isMoving else { return max(Self.shortestDrift, accuracy * Self.driftAccuracies) }
        return max(Self.shortestLeg, wasMoving ? new.accuracy * 0.5 : accuracy * 2)
    }

    /// A drift's speed from fix to fix is noise, its mean is not.
    private mutating func noteDrift(_ leg: Length, in time: Interval) {
        guard time > .zero else { return }
        totals.maximumSpeed = max(totals.maximumSpeed, .metersPerSecond(leg.meters / time.seconds))
    }

    /// Whether the vessel can have come from one to the other, gaining half her speed and 2 m/s on the way. A speed
    /// that is reckoned from positions is fooled by the very fix that it should judge.
    private func isWithinReach(_ new: Mark, of last: Mark, isOwnSpeed: Bool) -> Bool {
        let known = isOwnSpeed ? new.speed.map { max($0, last.speed ?? .zero) } : last.speed
        let fastest = known.map { $0 * 1.5 + .metersPerSecond(2) } ?? Self.fastestUnknown
        let reach = fastest.metersPerSecond * (new.at - last.at).seconds
        let step = Geodesic(from: last.position, to: new.position).distance
        return step.meters <= reach + (new.accuracy + last.accuracy).meters
    }
}
