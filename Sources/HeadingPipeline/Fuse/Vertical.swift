/// Which way is down in the body frame.
package struct Vertical: Hashable, Sendable {
    /// Standard gravity, m/s².
    package static let gravity = 9.80665

    /// Unit vector, body frame.
    package var down: Vector3
    /// How far it may be off, 1 sigma.
    package var uncertainty: Angle

    package init(down: Vector3, uncertainty: Angle) {
        self.down = down
        self.uncertainty = uncertainty
    }

    /// Level, as far as anybody knows: what is assumed where no accelerometer tells.
    package static func assumedLevel(tilt: Angle) -> Vertical {
        Vertical(down: Vector3(0, 0, 1), uncertainty: tilt)
    }

    /// Positive when the starboard side is down, -180°...180°.
    package var roll: Angle { Angle.arcTangent(rise: down.y, run: down.z) }
    /// Positive when the bow is up, -90°...90°.
    package var pitch: Angle { -Angle.arcSine(down.x) }
}
