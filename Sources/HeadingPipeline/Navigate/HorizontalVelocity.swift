/// A horizontal velocity in metres per second.
struct HorizontalVelocity: Hashable, Sendable {
    var north: Double
    var east: Double

    static let zero = HorizontalVelocity(north: 0, east: 0)

    init(north: Double, east: Double) {
        self.north = north
        self.east = east
    }

    init(speed: Speed, course: Angle) {
        self.init(north: speed.metersPerSecond * course.cosine, east: speed.metersPerSecond * course.sine)
    }

    var speed: Speed { .metersPerSecond((north * north + east * east).squareRoot()) }
    var course: Angle { .direction(north: north, east: east) }
}
