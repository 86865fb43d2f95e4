/// Where the vessel is and how it moves over the ground, from the fixes so far. What is not known is absent.
package struct Navigation: Hashable, Sendable {
    /// When the newest believed fix came in; its age is told from here, on the monotonic clock.
    package var at: Instant
    /// The receiver's own time of the fix, as it stands in the report.
    package var time: UTCTime?
    /// Two- or three-dimensional, never `.none`.
    package var mode: GpsFix.Mode
    package var position: GeoPosition
    /// Radius of the 95 % circle.
    package var horizontalAccuracy: Length
    /// Above mean sea level.
    package var altitude: Length?
    /// Above the WGS84 ellipsoid.
    package var ellipsoidHeight: Length?
    /// Satellites used in the fix.
    package var satellites: Int?
    package var speed: SpeedOverGround?
    /// `nil` at rest.
    package var course: CourseOverGround?
}

/// Whose word a speed or course is.
package enum MotionOrigin: String, Hashable, Sendable {
    /// The receiver's, by Doppler shift.
    case receiver
    /// Ours, from successive positions.
    case fixes
}

package struct SpeedOverGround: Hashable, Sendable {
    package var speed: Speed
    /// Half-width of the 95 % interval.
    package var accuracy: Speed
    package var origin: MotionOrigin
    /// When the fix came in that it was taken from.
    package var at: Instant
}

package struct CourseOverGround: Hashable, Sendable {
    /// True, 0° ..< 360°.
    package var course: Angle
    /// Half-width of the 95 % interval, at most 180°.
    package var accuracy: Angle
    package var origin: MotionOrigin
    package var at: Instant
}
