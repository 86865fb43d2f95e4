import Glibc

/// A weighted mean of directions on the circle.
package struct CircularMean: Hashable, Sendable {
    private var north = 0.0
    private var east = 0.0
    private var weight = 0.0

    package init() {}
    package init(_ directions: some Sequence<Angle>) {
        for direction in directions { add(direction) }
    }

    package mutating func add(_ direction: Angle, weight added: Double = 1) {
        north += added * direction.cosine
        east += added * direction.sine
        weight += added
    }

    /// The mean resultant length, 0 (no common direction) to 1 (all the same).
    package var resultantLength: Double {
        weight > 0 ? min(1, (north * north + east * east).squareRoot() / weight) : 0
    }

    /// The circular standard deviation, `sqrt(-2 ln R)` (Mardia & Jupp, Directional Statistics, 2.3.11), at most
    /// a half turn.
    package var standardDeviation: Angle {
        let length = resultantLength
        return length > 0 ? min(.halfTurn, .radians((-2 * log(length)).magnitude.squareRoot())) : .halfTurn
    }

    /// In [0°, 360°); `nil` where the directions cancel and there is none, as for 90° and 270°.
    package var direction: Angle? {
        resultantLength > 1e-9 ? Angle.direction(north: north, east: east) : nil
    }
}
