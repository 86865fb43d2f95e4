import Glibc
import HeadingPipeline
import Testing

@Suite("Destination")
struct DestinationTests {
    private static let now = Instant(nanoseconds: 1_000_000_000)

    private func bound(_ latitude: Double, _ longitude: Double, radius: Double = 50) -> Destination {
        Destination(
            Waypoint(position: place(latitude, longitude)), arrivalRadius: .meters(radius), setAt: Self.now)
    }

    /// A vessel at a place, with a speed in m/s and a course in degrees.
    private func vessel(
        _ latitude: Double, _ longitude: Double, _ speed: Double? = nil, _ course: Double? = nil
    ) -> Navigation {
        Navigation.under(way: place(latitude, longitude), speed: speed, course: course, at: Self.now)
    }

    @Test("lies at the reference's distance and bearing, opposite points of the globe too", .needsSharedData)
    func agreesWithReference() throws {
        for row in try SharedData.rows("geo/inverse.csv") {
            let numbers = row[2...7].map { Double($0) ?? .nan }
            var destination = bound(numbers[2], numbers[3])
            let way = destination.approach(from: vessel(numbers[0], numbers[1]), declination: .degrees(-10))
            #expect(abs(way.distance.meters - numbers[4]) <= 1e-3, "\(row)")
            guard row[9] == "1" else { continue }
            let bearing = try #require(way.bearingMagnetic)
            let trueBearing = try #require(way.bearing)
            #expect(
                abs(Angle.shortest(from: .degrees(numbers[5]), to: trueBearing).degrees) <= 1e-6, "\(row)")
            #expect(
                abs(Angle.shortest(from: .degrees(numbers[5] + 10), to: bearing).degrees) <= 1e-6, "\(row)")
        }
    }

    /// A degree of the equator is 111 319.4908 m, due east. At 10 m/s on 60° the half of the sine of 60°... that is
    /// 10 · cos 30° = 8.660254 m/s are made good, so there are 12 854.1 s to go; on 180° none, on 270° -10 m/s.
    @Test(
        "velocity made good and time to go follow from the angle between course and bearing",
        arguments: [
            (60.0, 8.660254, 12_854.067), (90, 10, 11_131.949), (120, 8.660254, 12_854.067),
            (180, 0, nil), (270, -10, nil),
        ] as [(Double, Double, Double?)])
    func velocity(course: Double, madeGood: Double, seconds: Double?) throws {
        var destination = bound(0, 1)
        let way = destination.approach(from: vessel(0, 0, 10, course), declination: nil)
        #expect(abs(try #require(way.velocityMadeGood).metersPerSecond - madeGood) < 1e-6)
        #expect(way.bearingMagnetic == nil)
        if let seconds {
            #expect(abs(try #require(way.timeToGo).seconds - seconds) < 0.01)
        } else {
            #expect(way.timeToGo == nil)
        }
    }

    @Test("from the place itself no way leads there")
    func atThePlace() {
        var destination = bound(50, -4)
        let way = destination.approach(from: vessel(50, -4, 5, 90), declination: .zero)
        #expect(way.distance.meters < 1e-6 && destination.isReached)
        #expect(way.bearing == nil && way.bearingMagnetic == nil)
        #expect(way.velocityMadeGood == nil && way.timeToGo == nil)
    }

    @Test(
        "without a speed or a course nothing is made good",
        arguments: [(nil, nil), (5, nil), (nil, 90)] as [(Double?, Double?)])
    func unknown(speed: Double?, course: Double?) {
        var destination = bound(0, 1)
        let way = destination.approach(from: vessel(0, 0, speed, course), declination: nil)
        #expect(way.velocityMadeGood == nil && way.timeToGo == nil)
    }

    /// 0.0005° of the equator are 55.66 m, 0.00044° are 48.98 m, 0.00053° are 59.0 m, 0.00055° are 61.2 m.
    @Test("is reached within the radius, and left a little farther out")
    func arrival() {
        var destination = bound(0, 0)
        let track = [
            (0.0005, false), (0.00044, true), (0.0005, true), (0.00053, true), (0.00055, false),
            (0.00053, false),
        ]
        for (longitude, isReached) in track {
            _ = destination.approach(from: vessel(0, longitude), declination: nil)
            #expect(destination.isReached == isReached, "\(longitude)")
        }
    }
}

@Suite("Course to steer")
struct CourseToSteerTests {
    private func course(_ degrees: Double, from reference: Settings.Reference) -> CourseToSteer {
        CourseToSteer(.degrees(degrees), from: reference, setAt: Instant(nanoseconds: 0))
    }

    @Test(
        "the error is the turn that brings the bow there, the short way round",
        arguments: [
            (120.0, 123.2, -3.2), (0, 359, 1), (359, 0, -1), (10, 350, 20), (350, 10, -20), (90, 270, -180),
            (0, 180.1, 179.9), (270, 90.1, 179.9),
        ])
    func error(steer: Double, heading: Double, error: Double) throws {
        for reference in Settings.Reference.allCases {
            let found = course(steer, from: reference).error(
                of: .degrees(heading), from: reference, declination: nil)
            #expect(abs(try #require(found).degrees - error) < 1e-9)
        }
    }

    /// A true direction of 100° is 90° magnetic where the declination is 10° east.
    @Test("a direction from the other north is compared by the declination, or not at all")
    func reference() throws {
        let error = {
            (steered: Settings.Reference, north: Settings.Reference, direction: Double, declination: Angle?)
            in
            course(95, from: steered).error(of: .degrees(direction), from: north, declination: declination)
        }
        let east = Angle.degrees(10)
        #expect(abs(try #require(error(.magnetic, .trueNorth, 100, east)).degrees - 5) < 1e-9)
        #expect(abs(try #require(error(.trueNorth, .magnetic, 100, east)).degrees + 15) < 1e-9)
        #expect(error(.magnetic, .trueNorth, 100, nil) == nil)
        #expect(error(.trueNorth, .magnetic, 100, nil) == nil)
    }

    @Test("a direction stays in its circle when it is counted from the other north")
    func folds() throws {
        let direction = course(355, from: .magnetic).direction(from: .trueNorth, declination: .degrees(10))
        #expect(abs(try #require(direction).degrees - 5) < 1e-9)
        let other = course(5, from: .trueNorth).direction(from: .magnetic, declination: .degrees(10))
        #expect(abs(try #require(other).degrees - 355) < 1e-9)
    }
}
