/// A point in geodetic coordinates on the WGS84 ellipsoid.
package struct GeoPosition: Hashable, Sendable {
    /// Positive north, -90°...90°.
    package var latitude: Angle
    /// Positive east, [-180°, 180°).
    package var longitude: Angle

    /// `nil` unless the latitude lies in -90°...90° and the longitude in -360°...360°; the longitude is folded.
    package init?(latitude: Angle, longitude: Angle) {
        guard latitude.isFinite, longitude.isFinite,
            abs(latitude.radians) <= .pi / 2 * (1 + 1e-12), abs(longitude.radians) <= 2 * .pi * (1 + 1e-12)
        else { return nil }
        self.init(clampedLatitude: latitude, longitude: longitude)
    }

    /// A latitude beyond a pole is the pole's; the longitude is folded.
    package init(clampedLatitude latitude: Angle, longitude: Angle) {
        self.latitude = max(-.quarterTurn, min(.quarterTurn, latitude))
        self.longitude = longitude.foldedSigned
    }
}
