/// The World Geodetic System 1984: the ellipsoid on which receivers give positions and heights.
/// Constants from NIMA TR8350.2; formulae from any textbook of geodesy.
package enum WGS84 {
    package static let equatorialRadius = Length.meters(6_378_137)
    package static let flattening = 1 / 298.257223563
    package static let eccentricitySquared = flattening * (2 - flattening)

    /// Of the curve that runs east-west: a metre on it is `1 / (N cos φ)` radians of longitude.
    package static func primeVerticalRadius(latitude: Angle) -> Length {
        let sine = latitude.sine
        return equatorialRadius / (1 - eccentricitySquared * sine * sine).squareRoot()
    }

    /// Of the meridian: a metre on it is `1 / M` radians of latitude.
    package static func meridianRadius(latitude: Angle) -> Length {
        let sine = latitude.sine
        let root = (1 - eccentricitySquared * sine * sine).squareRoot()
        return equatorialRadius * ((1 - eccentricitySquared) / (root * root * root))
    }
}
