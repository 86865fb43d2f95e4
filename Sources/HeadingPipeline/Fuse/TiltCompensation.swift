/// The heading of the bow over the horizontal plane, from a field and the vertical, both in the body frame.
///
/// East is `down × field` and north is what the field leaves over when its vertical part is taken away; the
/// heading is the direction of the x axis among them. The same as turning the field back by roll and pitch
/// (Pham, "Layout recommendations for PCBs", Freescale AN4248, eq. 22), but with no order of turns to get
/// wrong and no quadrant to choose.
package struct TiltCompensation: Hashable, Sendable {
    /// Magnetic, [0°, 360°).
    package var heading: Angle
    /// The part of the field that lies in the horizontal plane.
    package var horizontalField: FluxDensity
    /// The dip of the field below the horizon, positive in the north.
    package var inclination: Angle
    /// The share of the bow's direction that lies in the horizontal plane: the cosine of the pitch.
    package var bowProjection: Double

    /// Below it (pitch beyond 86°) the bow has no direction over ground.
    package static let leastBowProjection = 0.07

    /// Fails with the reason where a heading has no meaning.
    package init(fieldMicrotesla field: Vector3, down: Vector3) throws(Rejection) {
        let vertical = field.dot(down)
        let east = down.cross(field)
        let north = field - down * vertical
        let horizontal = north.length
        bowProjection = max(0, 1 - down.x * down.x).squareRoot()
        guard bowProjection >= Self.leastBowProjection else { throw .gimbal }
        guard horizontal > 0 else { throw .zeroField }
        heading = Angle.direction(north: north.x, east: east.x)
        horizontalField = .microtesla(horizontal)
        inclination = Angle.arcTangent(rise: vertical, run: horizontal)
    }
}
