/// The course that the operator wants to be steered, in the reference of the heading that is shown.
package struct CourseToSteer: Hashable, Sendable {
    /// 0° ..< 360°.
    package let course: Angle
    package let setAt: Instant

    package init(_ course: Angle, setAt: Instant) {
        self.course = course.foldedPositive
        self.setAt = setAt
    }

    /// The turn that brings a heading or course of the same reference there, in [-180°, 180°), positive to starboard.
    package func error(of direction: Angle) -> Angle { Angle.shortest(from: direction, to: course) }

    /// The same for the course over ground, which is true. `declination` where the course to steer is magnetic and
    /// one is known.
    package func error(
        ofTrueCourse course: Angle, reference: Settings.Reference, declination: Angle?
    ) -> Angle? {
        switch reference {
        case .trueNorth: error(of: course)
        case .magnetic: declination.map { error(of: course - $0) }
        }
    }
}
