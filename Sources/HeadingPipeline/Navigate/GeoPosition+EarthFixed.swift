/// The earth-centred, earth-fixed frame in metres: z to the north pole, x to 0° N 0° E. Differences of places
/// in it know neither dateline nor pole.
extension GeoPosition {
    /// The point on the WGS84 ellipsoid.
    var earthFixedMeters: Vector3 {
        let normal = WGS84.primeVerticalRadius(latitude: latitude).meters
        let parallel = normal * latitude.cosine
        return Vector3(
            parallel * longitude.cosine, parallel * longitude.sine,
            normal * (1 - WGS84.eccentricitySquared) * latitude.sine)
    }

    /// Unit vectors along the horizon here, in the earth-fixed frame.
    var horizon: (north: Vector3, east: Vector3) {
        let north = Vector3(
            -latitude.sine * longitude.cosine, -latitude.sine * longitude.sine, latitude.cosine)
        return (north, Vector3(-longitude.sine, longitude.cosine, 0))
    }
}
