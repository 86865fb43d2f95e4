/// Where the vessel is bound for, and whether she is there.
package struct Destination: Hashable, Sendable {
    package let waypoint: Waypoint
    package let setAt: Instant
    package let arrivalRadius: Length
    package private(set) var isReached = false

    /// A place once reached is left only so much farther out, lest fixes at the edge of the circle come and go.
    private static let departureFactor = 1.2

    package init(_ waypoint: Waypoint, arrivalRadius: Length, setAt: Instant) {
        self.waypoint = waypoint
        self.setAt = setAt
        self.arrivalRadius = arrivalRadius
    }

    /// The way there from where the vessel is now. `declination` is the one there, `nil` while none is known.
    package mutating func approach(from navigation: Navigation, declination: Angle?) -> Approach {
        let way = Geodesic(from: navigation.position, to: waypoint.position)
        isReached = way.distance <= arrivalRadius * (isReached ? Self.departureFactor : 1)
        return Approach(way, speed: navigation.speed?.speed, course: navigation.course?.course, declination)
    }
}

/// The way from the vessel to her destination, and how she makes it.
package struct Approach: Hashable, Sendable {
    package var distance: Length
    /// True, of the geodesic at the vessel; `nil` at the place itself, from where no way leads there.
    package var bearing: Angle?
    /// `nil` while no declination is known, too.
    package var bearingMagnetic: Angle?
    /// The part of the speed over ground that leads to the destination, negative away from it; `nil` without a speed
    /// or a course.
    package var velocityMadeGood: Speed?
    /// At this velocity; `nil` while she does not come nearer.
    package var timeToGo: Interval?

    /// Slower than this she does not approach, she drifts.
    private static let slowest = Speed.metersPerSecond(0.05)
    /// The last decimal of a position in degrees is a centimetre.
    private static let nearest = Length.meters(0.02)

    init(_ way: Geodesic, speed: Speed?, course: Angle?, _ declination: Angle?) {
        distance = way.distance
        guard way.distance >= Self.nearest else { return }
        bearing = way.initialBearing
        bearingMagnetic = declination.map { (way.initialBearing - $0).foldedPositive }
        guard let speed, let course else { return }
        let velocity = speed * Angle.shortest(from: way.initialBearing, to: course).cosine
        velocityMadeGood = velocity
        guard velocity >= Self.slowest else { return }
        timeToGo = .seconds(way.distance.meters / velocity.metersPerSecond)
    }
}
