import Glibc

/// Finds the geodesic between two points: the azimuth at the start is varied until the great circle on the
/// auxiliary sphere ends at the right longitude (Karney 2013, section 4). Newton's method converges at once as
/// a rule; a bracket around the root keeps it safe between nearly opposite points, where it may leap.
struct GeodesicInverse: Sendable {
    /// Below this arc (6 m) the ellipsoid is a sphere to the last digit.
    private static let shortArc = 1e-6

    // The canonical pair: the start on the southern half and at least as far from the equator as the end, the
    // end to the east.
    private let β1: SinCos
    private let β2: SinCos
    /// In 0 ... π.
    private let λ12: Double
    private let isSwapped: Bool
    private let isMirroredNorthSouth: Bool
    private let isMirroredEastWest: Bool

    init(from start: GeoPosition, to end: GeoPosition) {
        let λ = Angle.shortest(from: start.longitude, to: end.longitude).radians
        isSwapped = abs(start.latitude.radians) < abs(end.latitude.radians)
        let first = isSwapped ? end.reducedLatitude : start.reducedLatitude
        let second = isSwapped ? start.reducedLatitude : end.reducedLatitude
        isMirroredNorthSouth = first.sine >= 0
        isMirroredEastWest = (λ < 0) != isSwapped
        λ12 = abs(λ)
        β1 = isMirroredNorthSouth ? SinCos(sine: -first.sine, cosine: first.cosine) : first
        β2 = isMirroredNorthSouth ? SinCos(sine: -second.sine, cosine: second.cosine) : second
    }

    var solution: Geodesic {
        if let meridian { return meridian }
        if β1.sine == 0, λ12 <= (1 - WGS84.flattening) * .pi {
            let east = SinCos(sine: 1, cosine: 0)
            return restored(WGS84.equatorialRadius * λ12, east, east)
        }
        let sphere = sphericalGuess
        if sphere.arc < Self.shortArc { return shortLine(sphere) }
        // Where the sphere's longitude passes the half turn, its azimuth points the wrong way round.
        let trial = solve(from: sphere.azimuth.sine > 0 ? sphere.azimuth.radians : .pi / 2)
        return restored(trial.distance, trial.azimuth1, trial.azimuth2)
    }

    /// Undoes the mirroring and swapping of the canonical pair; a swapped line is travelled backwards.
    private func restored(_ distance: Length, _ α1: SinCos, _ α2: SinCos) -> Geodesic {
        let east = isMirroredEastWest != isSwapped ? -1.0 : 1
        let north = isMirroredNorthSouth != isSwapped ? -1.0 : 1
        let first = SinCos(sine: east * α1.sine, cosine: north * α1.cosine)
        let second = SinCos(sine: east * α2.sine, cosine: north * α2.cosine)
        return Geodesic(
            distance: distance, initialBearing: isSwapped ? second : first,
            finalBearing: isSwapped ? first : second)
    }

    /// Along a meridian, where both points are on one, or one is a pole.
    private var meridian: Geodesic? {
        let isOnOne = λ12 < 1e-15 || λ12 > .pi - 1e-15 || β1.cosine < 1e-15
        guard isOnOne else { return nil }
        let α1 = β1.cosine < 1e-15 ? SinCos(radians: λ12) : SinCos(sine: 0, cosine: λ12 < 1 ? 1 : -1)
        let α2 = SinCos(sine: 0, cosine: 1)
        let line = GeodesicLine(reducedLatitude: β1, azimuth: SinCos(sine: 0, cosine: α1.cosine))
        let σ1 = SinCos(sine: β1.sine, cosine: α1.cosine * β1.cosine)
        let σ2 = SinCos(sine: β2.sine, cosine: β2.cosine)
        let turn = σ1.turn(to: σ2)
        let arc = atan2(max(0, turn.sine), turn.cosine)
        return restored(line.distance(arc: arc, from: σ1, to: σ2), α1, α2)
    }

    private struct SphericalGuess {
        var azimuth: SinCos
        var azimuthAtEnd: SinCos
        var arc: Double
        /// Radius of the sphere that touches the ellipsoid between the points, over the equatorial radius.
        var radius: Double
    }

    /// The great circle on a sphere that fits the ellipsoid at the mean latitude.
    private var sphericalGuess: SphericalGuess {
        let cosine = (β1.cosine + β2.cosine) / 2
        let radius = (1 - WGS84.eccentricitySquared * cosine * cosine).squareRoot()
        let ω = λ12 / radius
        let versed = 2 * sin(ω / 2) * sin(ω / 2)
        let northward = β2.sine * β1.cosine - β2.cosine * β1.sine
        let start = (sine: β2.cosine * sin(ω), cosine: northward + β1.sine * β2.cosine * versed)
        let end = (sine: β1.cosine * sin(ω), cosine: northward - β1.cosine * β2.sine * versed)
        let arcCosine = β1.sine * β2.sine + β1.cosine * β2.cosine * cos(ω)
        return SphericalGuess(
            azimuth: SinCos(sine: start.sine, cosine: start.cosine),
            azimuthAtEnd: SinCos(sine: end.sine, cosine: end.cosine),
            arc: atan2(hypot(start.sine, start.cosine), arcCosine), radius: radius)
    }

    private func shortLine(_ sphere: SphericalGuess) -> Geodesic {
        restored(
            WGS84.equatorialRadius * (sphere.radius * sphere.arc), sphere.azimuth, sphere.azimuthAtEnd)
    }

    /// Varies the azimuth in 0 ... π, over which the longitude reached grows from 0 to π.
    private func solve(from guess: Double) -> GeodesicTrial {
        var low = 0.0
        var high = Double.pi
        var azimuth = guess
        var trial = GeodesicTrial(β1, β2, azimuth: SinCos(radians: azimuth))
        for _ in 0..<100 {
            let error = trial.longitudeDifference - λ12
            if error > 0 { high = azimuth } else { low = azimuth }
            let slope = trial.longitudeSlope
            var next = azimuth - error / slope
            if !(slope > 0 && next > low && next < high) { next = (low + high) / 2 }
            if error == 0 || abs(next - azimuth) < 1e-16 || next == azimuth { break }
            azimuth = next
            trial = GeodesicTrial(β1, β2, azimuth: SinCos(radians: azimuth))
        }
        return trial
    }
}
