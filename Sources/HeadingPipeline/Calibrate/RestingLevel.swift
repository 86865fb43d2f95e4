import Glibc

/// The mean attitude of a vessel at rest, from her accelerometer.
package struct RestingLevel: Sendable {
    private var sum = Vector3.zero
    private var directions: [Vector3] = []

    package enum Refusal: Hashable, Sendable {
        case tooFew
        case moving(Angle)
        case tooSteep(Angle)
    }

    private static let fewest = 50
    private static let mostMovement = Angle.degrees(2)
    private static let steepest = Angle.degrees(30)
    private static let mostKept = 5000

    package init() {}

    /// Specific force in the body frame, before any levelling.
    package mutating func take(specificForce: Vector3) {
        guard directions.count < Self.mostKept, let down = (-specificForce).normalized else { return }
        directions.append(down)
        sum += down
    }

    package var count: Int { directions.count }

    package func result() -> Result<LevelTilt, RefusedLevel> {
        guard directions.count >= Self.fewest, let mean = sum.normalized else {
            return .failure(RefusedLevel(.tooFew))
        }
        let scatter = Angle.radians(
            (directions.reduce(0) { $0 + ($1 - mean).lengthSquared } / Double(directions.count)).squareRoot())
        if scatter > Self.mostMovement { return .failure(RefusedLevel(.moving(scatter))) }
        let roll = Angle.arcTangent(rise: mean.y, run: mean.z)
        let pitch = Angle.arcSine(-mean.x)
        let steepness = Angle.radians(acos(max(-1, min(1, mean.z))))
        if steepness > Self.steepest { return .failure(RefusedLevel(.tooSteep(steepness))) }
        return .success(LevelTilt(roll: roll, pitch: pitch))
    }
}

/// Why a level was not learned.
package struct RefusedLevel: Error, Hashable, Sendable {
    package var reason: RestingLevel.Refusal
    init(_ reason: RestingLevel.Refusal) { self.reason = reason }

    package var text: String {
        switch reason {
        case .tooFew: "the accelerometer gave too few readings"
        case .moving(let scatter):
            "the vessel moves: gravity wanders by \(decimalText(scatter.degrees, places: 1))°"
        case .tooSteep(let tilt):
            "tilted by \(decimalText(tilt.degrees, places: 0))°: set the sensors' axes in the config first"
        }
    }
}
