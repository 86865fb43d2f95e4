/// The straight, even motion that fits a run of fixes best (least squares in north and east over time).
struct StraightTrack: Sendable {
    var velocity: HorizontalVelocity
    /// Of the fixes from the line, in square metres, north and east together.
    var sumOfSquares: Double
    var degreesOfFreedom: Double
    /// Sum of the squared times from their mean, in s². A velocity's variance is the fixes' over this.
    var spread: Double

    /// `nil` for fewer than three fixes, or where all are of one moment. `horizon` turns earth-fixed metres into
    /// north and east.
    init?(_ points: ArraySlice<FixTrack.Point>, horizon: (north: Vector3, east: Vector3)) {
        guard points.count >= 3, let last = points.last else { return nil }
        let count = Double(points.count)
        var sums = Sums()
        for point in points {
            let offset = point.earthFixedMeters - last.earthFixedMeters
            sums.add(
                time: (point.moment - last.moment).seconds, north: horizon.north.dot(offset),
                east: horizon.east.dot(offset))
        }
        spread = sums.timeTime - sums.time * sums.time / count
        guard spread > 1e-6 else { return nil }
        let north = (sums.timeNorth - sums.time * sums.north / count) / spread
        let east = (sums.timeEast - sums.time * sums.east / count) / spread
        velocity = HorizontalVelocity(north: north, east: east)
        let total = sums.squares - (sums.north * sums.north + sums.east * sums.east) / count
        sumOfSquares = max(0, total - (north * north + east * east) * spread)
        degreesOfFreedom = 2 * count - 4
    }

    private struct Sums {
        var time = 0.0
        var timeTime = 0.0
        var north = 0.0
        var east = 0.0
        var timeNorth = 0.0
        var timeEast = 0.0
        var squares = 0.0

        mutating func add(time t: Double, north n: Double, east e: Double) {
            time += t
            timeTime += t * t
            north += n
            east += e
            timeNorth += t * n
            timeEast += t * e
            squares += n * n + e * e
        }
    }
}
