import HeadingPipeline
import Testing

@Suite("True heading")
struct TrueHeadingTests {
    @Test(
        "is the magnetic one and the declination, folded",
        arguments: [(359.6, 14.85, 14.45), (2.0, -26.80, 335.20), (5.0, -15.56, 349.44)])
    func folding(magnetic: Double, declination: Double, expected: Double) throws {
        var boat = Boat(Boat.calibrated { $0.heading.declination = .degrees(declination) })
        boat.rest(Body(heading: magnetic), seconds: 1)
        let value = try #require(boat.number("value", of: .headingTrue))
        #expect(abs(value - expected) <= 0.051)
        #expect(boat.member("reference", of: .heading) == "\"true\"")
        #expect(boat.number("value", of: .heading) == value)
    }

    @Test("a value that rounds up to a full turn is 0.0")
    func roundsToZero() {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: 359.96), seconds: 1)
        #expect(boat.member("value", of: .headingMagnetic) == "0.0")
        #expect(boat.member("cardinal", of: .heading) == "\"N\"")
    }

    @Test("is absent, not a copy of magnetic, while no position is known")
    func absent() {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: 60), seconds: 2)
        #expect(boat.last(.headingTrue) == nil)
        #expect(boat.member("reference", of: .heading) == "\"magnetic\"")
        #expect(boat.number("value", of: .heading) == 60)
    }

    @Test("comes with the first fix, and `heading` follows it at once")
    func firstFix() throws {
        var boat = Boat(Boat.calibrated())
        boat.rest(Body(heading: 60), seconds: 1)
        // Seattle, 2026-12-01: +14.854.
        boat.fix(47.6, -122.34, time: UTCTime(year: 2026, month: 12, day: 1))
        boat.rest(Body(heading: 60), seconds: 0.2)
        #expect(boat.member("value", of: .headingTrue) == "74.9")
        #expect(boat.member("declination", of: .headingTrue) == "14.85")
        #expect(boat.member("value", of: .heading) == "74.9")
        #expect(boat.member("source", of: .declination) == "\"WMM2025\"")
    }

    @Test("a fix's height is taken in its unit: at Resolute 100 m are not 100 km")
    func height() {
        var boat = Boat(Boat.calibrated())
        var fix = GpsFix(mode: .threeDimensional)
        fix.position = place(74.7, -94.9)
        fix.ellipsoidHeight = .meters(100)
        fix.time = UTCTime(year: 2026, month: 12, day: 1)
        boat.take(.fix(fix))
        #expect(boat.member("value", of: .declination) == "-14.67")
    }

    @Test("magnetic is shown where the operator asks for it")
    func magneticReference() {
        var boat = Boat(
            Boat.calibrated {
                $0.heading.reference = .magnetic
                $0.heading.declination = .degrees(10)
            })
        boat.rest(Body(heading: 60), seconds: 1)
        #expect(boat.number("value", of: .heading) == 60)
        #expect(boat.number("value", of: .headingTrue) == 70)
    }

    @Test("the model's uncertainty is in its accuracy: sqrt(0.26² + (5417 / H)²) degrees, 1 sigma")
    func accuracy() throws {
        var boat = Boat(Boat.calibrated())
        boat.fix(50.37, -4.14, time: UTCTime(year: 2026, month: 11, day: 30))
        boat.rest(Body(heading: 60), seconds: 2)
        let magnetic = try #require(boat.number("accuracy", of: .headingMagnetic))
        let total = try #require(boat.number("accuracy", of: .headingTrue))
        // H = 20 301 nT: 0.373°, 95 %: 0.731°.
        let expected = (magnetic * magnetic + 0.731 * 0.731).squareRoot()
        #expect(abs(total - expected) <= 0.11)
    }

    @Test("a manual declination needs no position and is called manual")
    func manual() {
        var boat = Boat(Boat.calibrated { $0.heading.declination = .degrees(-3.5) })
        boat.take(.clock(UTCTime(year: 2026, month: 11, day: 30)))
        #expect(boat.member("value", of: .declination) == "-3.50")
        #expect(boat.member("source", of: .declination) == "\"manual\"")
    }

    @Test("Plymouth's declination prints 0.0 or a small value, never -0.00")
    func noNegativeZero() {
        var boat = Boat(Boat.calibrated { $0.heading.declination = .degrees(-0.001) })
        boat.take(.clock(UTCTime(year: 2026, month: 11, day: 30)))
        #expect(boat.member("value", of: .declination) == "0.00")
    }
}
