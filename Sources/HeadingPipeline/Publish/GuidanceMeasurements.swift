/// What there is of something that the operator sets, or its end. What is rare stands apart, so that measurements of
/// a sensor stay small.
package enum DestinationNews: Hashable, Sendable {
    case cleared
    indirect case underWay(DestinationMeasurement)
}

package enum SteerNews: Hashable, Sendable {
    case cleared
    case steering(SteerMeasurement)
}

package struct DestinationMeasurement: Hashable, Sendable {
    package var time: UTCTime?
    package var waypoint: Waypoint
    /// When it was set: a command is answered at once.
    package var setAt: Instant
    /// `nil` without a fix.
    package var approach: Approach?
    package var isReached: Bool
}

package struct SteerMeasurement: Hashable, Sendable {
    package var time: UTCTime?
    /// From the north of the heading that is shown; as it was set where that takes a declination and none is known.
    package var course: Angle
    package var setAt: Instant
    /// The north that ``course`` is counted from.
    package var reference: Settings.Reference
    /// The turn that brings the bow there, positive to starboard.
    package var error: Angle?
    /// Why there is no ``error``.
    package var missing: Missing?
    /// The same turn for the course over ground; `nil` at rest.
    package var courseError: Angle?

    package enum Missing: Hashable, Sendable { case heading, declination }
}

package struct TripMeasurement: Hashable, Sendable {
    package var time: UTCTime?
    package var totals: TripTotals
}
