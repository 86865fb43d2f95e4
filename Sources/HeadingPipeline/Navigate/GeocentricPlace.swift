/// A place as spherical harmonics need it: by its distance and direction from the Earth's centre.
struct GeocentricPlace {
    let radius: Length
    /// Of the angle between the place and the north pole, θ.
    let sineColatitude: Double
    let cosineColatitude: Double
    let longitude: Angle
    /// Of the geocentric less the geodetic latitude.
    private let sineTilt: Double
    private let cosineTilt: Double

    /// `height` is above the WGS84 ellipsoid.
    init(_ position: GeoPosition, height: Length) {
        let sine = position.latitude.sine
        let cosine = position.latitude.cosine
        let normal = WGS84.primeVerticalRadius(latitude: position.latitude)
        let equatorial = (normal + height).meters * cosine
        let axial = (normal * (1 - WGS84.eccentricitySquared) + height).meters * sine
        let distance = (equatorial * equatorial + axial * axial).squareRoot()
        radius = .meters(distance)
        sineColatitude = equatorial / distance
        cosineColatitude = axial / distance
        longitude = position.longitude
        sineTilt = cosineColatitude * cosine - sineColatitude * sine
        cosineTilt = cosineColatitude * sine + sineColatitude * cosine
    }

    /// Turns a vector (north, east, down) from the geocentric frame into the geodetic one.
    func intoGeodeticFrame(_ v: Vector3) -> Vector3 {
        Vector3(v.x * cosineTilt - v.z * sineTilt, v.y, v.x * sineTilt + v.z * cosineTilt)
    }
}
