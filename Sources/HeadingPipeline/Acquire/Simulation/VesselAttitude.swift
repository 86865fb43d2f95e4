/// How a vessel lies: heading, then pitch, then roll turn the axes north, east, down into the body frame
/// (x forward, y starboard, z down).
package struct VesselAttitude: Hashable, Sendable {
    /// Clockwise from whichever north the vectors to be turned have.
    package var heading: Angle
    /// Positive bow up.
    package var pitch: Angle
    /// Positive starboard side down.
    package var roll: Angle

    package init(heading: Angle, pitch: Angle = .zero, roll: Angle = .zero) {
        self.heading = heading
        self.pitch = pitch
        self.roll = roll
    }

    /// Turns a vector (north, east, down) into the body frame; its transpose turns it back.
    package var intoBodyFrame: Matrix3 {
        let (sinH, cosH) = (heading.sine, heading.cosine)
        let (sinP, cosP) = (pitch.sine, pitch.cosine)
        let (sinR, cosR) = (roll.sine, roll.cosine)
        return Matrix3(
            Vector3(cosP * cosH, cosP * sinH, -sinP),
            Vector3(sinR * sinP * cosH - cosR * sinH, sinR * sinP * sinH + cosR * cosH, sinR * cosP),
            Vector3(cosR * sinP * cosH + sinR * sinH, cosR * sinP * sinH - sinR * cosH, cosR * cosP))
    }

    /// The body's rotation in radians a second, body frame, where the three angles change at these rates.
    package func bodyRates(heading headingRate: Double, pitch pitchRate: Double, roll rollRate: Double)
        -> Vector3
    {
        Vector3(
            rollRate - headingRate * pitch.sine,
            pitchRate * roll.cosine + headingRate * roll.sine * pitch.cosine,
            headingRate * roll.cosine * pitch.cosine - pitchRate * roll.sine)
    }
}
