/// The course that the operator wants to be steered: one direction on the water, whatever north is shown.
package struct CourseToSteer: Hashable, Sendable {
    /// 0° ..< 360°.
    package let course: Angle
    /// The north that ``course`` is counted from.
    package let reference: Settings.Reference
    package let setAt: Instant

    package init(_ course: Angle, from reference: Settings.Reference, setAt: Instant) {
        self.course = course.foldedPositive
        self.reference = reference
        self.setAt = setAt
    }

    /// The same direction counted from `north`, 0° ..< 360°; `nil` where that takes a declination and none is known.
    package func direction(from north: Settings.Reference, declination: Angle?) -> Angle? {
        switch (reference, north) {
        case (.trueNorth, .magnetic): declination.map { (course - $0).foldedPositive }
        case (.magnetic, .trueNorth): declination.map { (course + $0).foldedPositive }
        case (.trueNorth, .trueNorth), (.magnetic, .magnetic): course
        }
    }

    /// The turn that brings a heading or course counted from `north` there, in [-180°, 180°), positive to starboard;
    /// `nil` where that takes a declination and none is known.
    package func error(of direction: Angle, from north: Settings.Reference, declination: Angle?) -> Angle? {
        self.direction(from: north, declination: declination).map { Angle.shortest(from: direction, to: $0) }
    }
}
