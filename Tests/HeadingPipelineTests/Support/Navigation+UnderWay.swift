@testable import HeadingPipeline

extension Navigation {
    /// What fixes tell of a vessel there, with a speed in m/s and a course in degrees.
    static func under(
        way position: GeoPosition, speed: Double? = nil, course: Double? = nil, at now: Instant,
        origin: MotionOrigin = .receiver
    ) -> Navigation {
        Navigation(
            at: now, time: nil, mode: .threeDimensional, position: position, horizontalAccuracy: .meters(4),
            altitude: nil, ellipsoidHeight: nil, satellites: nil,
            speed: speed.map {
                SpeedOverGround(
                    speed: .metersPerSecond($0), accuracy: .metersPerSecond(0.2), origin: origin, at: now)
            },
            course: course.map {
                CourseOverGround(course: .degrees($0), accuracy: .degrees(2), origin: origin, at: now)
            })
    }
}
