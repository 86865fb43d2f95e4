import Glibc

/// The geodesic that starts at β₁ with a given azimuth, up to where it reaches β₂ going north. Longitude,
/// distance and their change with the azimuth follow.
struct GeodesicTrial: Sendable {
    let azimuth1: SinCos
    let azimuth2: SinCos
    private let β1: SinCos
    private let β2: SinCos
    private let line: GeodesicLine
    private let σ1: SinCos
    private let σ2: SinCos
    /// σ₂ - σ₁, in 0 ... π.
    private let arc: Double

    init(_ β1: SinCos, _ β2: SinCos, azimuth α1: SinCos) {
        self.β1 = β1
        self.β2 = β2
        azimuth1 = α1
        line = GeodesicLine(reducedLatitude: β1, azimuth: α1)
        azimuth2 = Self.azimuth(at: β2, from: β1, α1, line)
        σ1 = SinCos(sine: β1.sine, cosine: α1.cosine * β1.cosine)
        σ2 = SinCos(sine: β2.sine, cosine: azimuth2.cosine * β2.cosine)
        let turn = σ1.turn(to: σ2)
        arc = atan2(max(0, turn.sine), turn.cosine)
    }

    /// From cos²α₂ cos²β₂ = cos²α₁ cos²β₁ + (cos²β₂ - cos²β₁); the difference of squares in the form that
    /// loses least.
    private static func azimuth(
        at β2: SinCos, from β1: SinCos, _ α1: SinCos, _ line: GeodesicLine
    ) -> SinCos {
        let difference =
            β1.cosine < -β1.sine
            ? (β2.cosine - β1.cosine) * (β1.cosine + β2.cosine)
            : (β1.sine - β2.sine) * (β1.sine + β2.sine)
        let along = α1.cosine * β1.cosine
        return SinCos(
            sine: line.azimuthAtEquator.sine, cosine: max(0, along * along + difference).squareRoot())
    }

    var distance: Length { line.distance(arc: arc, from: σ1, to: σ2) }

    var longitudeDifference: Double {
        let ω = line.sphericalLongitude(at: σ1).turn(to: line.sphericalLongitude(at: σ2))
        return line.longitudeDifference(
            spherical: atan2(max(0, ω.sine), ω.cosine), arc: arc, from: σ1, to: σ2)
    }

    /// dλ₁₂/dα₁ = m₁₂ / (a cos α₂ cos β₂), with its limit where the end is the northernmost point.
    var longitudeSlope: Double {
        if azimuth2.cosine == 0 {
            let cosine = β1.cosine
            return -2 * (1 - WGS84.eccentricitySquared * cosine * cosine).squareRoot() / β1.sine
        }
        return (1 - WGS84.flattening) * reducedLength / (azimuth2.cosine * β2.cosine)
    }

    /// m₁₂ / b.
    private var reducedLength: Double {
        let series = line.series
        let stretch1 = (1 + series.kSquared * σ1.sine * σ1.sine).squareRoot()
        let stretch2 = (1 + series.kSquared * σ2.sine * σ2.sine).squareRoot()
        let c1 = series.c1
        let c2 = series.c2
        let first = series.a1 * (arc + GeodesicSeries.sum(c1, σ2) - GeodesicSeries.sum(c1, σ1))
        let second = series.a2 * (arc + GeodesicSeries.sum(c2, σ2) - GeodesicSeries.sum(c2, σ1))
        return stretch2 * σ1.cosine * σ2.sine - stretch1 * σ1.sine * σ2.cosine
            - σ1.cosine * σ2.cosine * (first - second)
    }
}
