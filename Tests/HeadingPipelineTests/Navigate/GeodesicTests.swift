import HeadingPipeline
import Testing

@Suite("Geodesic")
struct GeodesicTests {
    @Test("distances and bearings are the reference's for every pair", .needsSharedData)
    func agreesWithReference() throws {
        let rows = try SharedData.rows("geo/inverse.csv")
        #expect(rows.count == 271)
        for row in rows {
            let pair = try ReferencePair(row)
            let found = Geodesic(from: pair.start, to: pair.end)
            #expect(abs(found.distance.meters - pair.distance) <= 1e-6, "\(row)")
            guard pair.hasBearings else { continue }
            #expect(offset(found.initialBearing, pair.initialBearing) <= 1e-6, "\(row)")
            #expect(offset(found.finalBearing, pair.finalBearing) <= 1e-6, "\(row)")
        }
    }

    @Test("setting out on a bearing leads where the reference says", .needsSharedData)
    func destinationAgreesWithReference() throws {
        for row in try SharedData.rows("geo/inverse.csv") {
            let pair = try ReferencePair(row)
            guard pair.hasBearings else { continue }
            let (end, bearing) = Geodesic.destination(
                from: pair.start, bearing: .degrees(pair.initialBearing), distance: .meters(pair.distance))
            #expect(Geodesic(from: end, to: pair.end).distance.meters <= 1e-3, "\(row)")
            #expect(offset(bearing, pair.finalBearing) <= 2e-6, "\(row)")
        }
    }

    /// A degree of the equator is a·π/180; a quarter of a meridian is 10 001 965.729 m (NIMA TR8350.2, derived
    /// constants of WGS84); the length of the shortest way between opposite points of the equator is half the
    /// meridian ellipse.
    @Test(
        "figures of WGS84",
        arguments: [
            (place(0, 0), place(0, 1), 111_319.4908, 90.0),
            (place(0, 10), place(90, 10), 10_001_965.7293, 0),
            (place(90, 10), place(0, 10), 10_001_965.7293, 180),
            (place(0, 0), place(0, 180), 20_003_931.4586, 0),
        ])
    func figuresOfTheEllipsoid(start: GeoPosition, end: GeoPosition, meters: Double, bearing: Double) {
        let way = Geodesic(from: start, to: end)
        #expect(abs(way.distance.meters - meters) < 1e-3)
        #expect(offset(way.initialBearing, bearing) < 1e-9)
    }

    @Test(
        "is finite at coincident points, poles and the dateline",
        arguments: [
            (place(50, -4), place(50, -4)), (place(0, 0), place(0, 0)), (place(90, 0), place(90, 120)),
            (place(90, 0), place(-90, 0)), (place(-90, 30), place(90, -150)),
            (place(12, 180), place(12, -180)),
            (place(0, -180), place(0, 180)), (place(45, 0), place(-45, 180)),
            (place(1e-12, 0), place(0, 180)),
        ])
    func isFinite(start: GeoPosition, end: GeoPosition) {
        let way = Geodesic(from: start, to: end)
        #expect(way.distance.isFinite && way.distance >= .zero)
        #expect(way.initialBearing.isFinite && way.finalBearing.isFinite)
        let reached = Geodesic.destination(from: start, bearing: way.initialBearing, distance: way.distance)
        #expect(Geodesic(from: reached.position, to: end).distance.meters < 1e-6)
    }

    @Test("the dateline is no obstacle")
    func crossesTheDateline() {
        let way = Geodesic(from: place(0, 179.5), to: place(0, -179.5))
        #expect(abs(way.distance.meters - 111_319.4908) < 1e-3)
        #expect(offset(way.initialBearing, 90) < 1e-9)
    }

    @Test("out along the bearing and the distance found leads to the end", arguments: [1, 2, 3] as [UInt64])
    func destinationUndoesInverse(seed: UInt64) {
        var random = SplitMix64(state: seed)
        for _ in 0..<2000 {
            let latitude = Double.random(in: -90...90, using: &random)
            let spread: Double = [180.0, 1.0, 0.001].randomElement(using: &random) ?? 1
            let start = place(latitude, Double.random(in: -180...180, using: &random))
            // About the opposite point, near the start, or anywhere.
            let isOpposite = Bool.random(using: &random)
            let toLatitude =
                (isOpposite ? -latitude : latitude) + .random(in: -spread...spread, using: &random)
            let toLongitude =
                start.longitude.degrees + (isOpposite ? 180 : 0)
                + .random(in: -spread...spread, using: &random)
            let end = GeoPosition(
                latitude: .degrees(max(-90, min(90, toLatitude))),
                longitude: Angle.degrees(toLongitude).foldedSigned)
            guard let end else { Issue.record("seed \(seed)"); return }
            let way = Geodesic(from: start, to: end)
            let back = Geodesic(from: end, to: start)
            let reached = Geodesic.destination(
                from: start, bearing: way.initialBearing, distance: way.distance)
            let miss = Geodesic(from: reached.position, to: end).distance.meters
            #expect(miss < 1e-6, "seed \(seed): \(start) \(end)")
            #expect(abs((way.distance - back.distance).meters) < 1e-6, "seed \(seed): \(start) \(end)")
        }
    }
}

/// A row of `geo/inverse.csv`, computed with geographiclib 2.1.
private struct ReferencePair {
    let start: GeoPosition
    let end: GeoPosition
    let distance: Double
    let initialBearing: Double
    let finalBearing: Double
    let hasBearings: Bool

    init(_ row: [String]) throws {
        let numbers = row[2...8].map { Double($0) ?? .nan }
        start = place(numbers[0], numbers[1])
        end = place(numbers[2], numbers[3])
        distance = numbers[4]
        initialBearing = numbers[5]
        finalBearing = numbers[6]
        hasBearings = row[9] == "1"
    }
}

/// How far a direction lies from one in degrees.
private func offset(_ direction: Angle, _ degrees: Double) -> Double {
    abs(Angle.shortest(from: .degrees(degrees), to: direction).degrees)
}
