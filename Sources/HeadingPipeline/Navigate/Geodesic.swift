import Glibc

/// The shortest way between two points on the WGS84 ellipsoid. Good to a micrometre anywhere, between opposite
/// points of the globe too.
package struct Geodesic: Hashable, Sendable {
    package var distance: Length
    /// True bearings at the start and at the end, both in the direction of travel, 0° ..< 360°. Between
    /// coincident points they are 0° or 180°, between opposite poles any will do: they are finite.
    package var initialBearing: Angle
    package var finalBearing: Angle

    /// The way from one point to another (the inverse problem).
    package init(from start: GeoPosition, to end: GeoPosition) {
        self = GeodesicInverse(from: start, to: end).solution
    }

    init(distance: Length, initialBearing: SinCos, finalBearing: SinCos) {
        self.distance = distance
        self.initialBearing = .direction(north: initialBearing.cosine, east: initialBearing.sine)
        self.finalBearing = .direction(north: finalBearing.cosine, east: finalBearing.sine)
    }

    /// Where one gets from `start` on a bearing after a distance (the direct problem), and the bearing there.
    package static func destination(
        from start: GeoPosition, bearing: Angle, distance: Length
    ) -> (position: GeoPosition, bearing: Angle) {
        let line = GeodesicLine(
            reducedLatitude: start.reducedLatitude, azimuth: SinCos(radians: bearing.radians))
        let end = line.point(at: distance)
        let position = GeoPosition(
            latitude: end.latitude, longitude: (start.longitude + end.longitudeDifference).foldedSigned)
        return (position ?? start, .direction(north: end.azimuth.cosine, east: end.azimuth.sine))
    }
}

extension GeoPosition {
    /// β with tan β = (1 - f) tan φ, where the ellipsoid is mapped to a sphere.
    var reducedLatitude: SinCos {
        SinCos(sine: (1 - WGS84.flattening) * latitude.sine, cosine: max(latitude.cosine, 1e-150))
    }
}

/// A geodesic by its course on the auxiliary sphere: a great circle from the reduced latitude of its start.
/// Names as in Karney (2013): α₀ is the azimuth where it crosses the equator northward, σ the arc from there.
struct GeodesicLine: Sendable {
    let azimuthAtEquator: SinCos
    let startArc: SinCos
    let series: GeodesicSeries

    init(reducedLatitude β: SinCos, azimuth α: SinCos) {
        azimuthAtEquator = SinCos(
            sine: α.sine * β.cosine, cosine: hypot(α.cosine, α.sine * β.sine))
        let isOnEquator = β.sine == 0 && α.cosine == 0
        startArc =
            isOnEquator ? SinCos(sine: 0, cosine: 1) : SinCos(sine: β.sine, cosine: α.cosine * β.cosine)
        series = GeodesicSeries(azimuthAtEquator: azimuthAtEquator)
    }

    static let polarRadius = WGS84.equatorialRadius * (1 - WGS84.flattening)

    /// The distance from σ₁ to σ₂, which lie `arc` apart.
    func distance(arc: Double, from σ1: SinCos, to σ2: SinCos) -> Length {
        let c1 = series.c1
        let sums = GeodesicSeries.sum(c1, σ2) - GeodesicSeries.sum(c1, σ1)
        return Self.polarRadius * (series.a1 * (arc + sums))
    }

    /// The difference of longitude that belongs to a difference of longitude on the sphere.
    func longitudeDifference(spherical ω: Double, arc: Double, from σ1: SinCos, to σ2: SinCos) -> Double {
        let c3 = series.c3
        let sums = GeodesicSeries.sum(c3, σ2) - GeodesicSeries.sum(c3, σ1)
        return ω - WGS84.flattening * azimuthAtEquator.sine * series.a3 * (arc + sums)
    }

    /// The longitude on the sphere, counted from the crossing of the equator.
    func sphericalLongitude(at σ: SinCos) -> SinCos {
        SinCos(sine: azimuthAtEquator.sine * σ.sine, cosine: σ.cosine)
    }

    func azimuth(at σ: SinCos) -> SinCos {
        SinCos(sine: azimuthAtEquator.sine, cosine: azimuthAtEquator.cosine * σ.cosine)
    }

    func point(at distance: Length) -> (latitude: Angle, longitudeDifference: Angle, azimuth: SinCos) {
        let startStretch = startArc.radians + GeodesicSeries.sum(series.c1, startArc)
        let stretch = startStretch + distance / (Self.polarRadius * series.a1)
        let endArc = stretch + GeodesicSeries.sum(series.c1Reverted, SinCos(radians: stretch))
        let σ = SinCos(radians: endArc)
        let ω = sphericalLongitude(at: startArc).turn(to: sphericalLongitude(at: σ)).radians
        let λ = longitudeDifference(
            spherical: ω, arc: endArc - startArc.radians, from: startArc, to: σ)
        let sine = azimuthAtEquator.cosine * σ.sine
        let cosine = hypot(azimuthAtEquator.sine, azimuthAtEquator.cosine * σ.cosine)
        let latitude = Angle.arcTangent(rise: sine, run: (1 - WGS84.flattening) * cosine)
        return (latitude, .radians(λ), azimuth(at: σ))
    }
}
