import HeadingPipeline
import Testing

@Suite("Heading filter")
struct HeadingFilterTests {
    @Test(
        "a step goes the short way round and never leaves the arc",
        arguments: [(355.0, 5.0), (175.0, 185.0), (5.0, 355.0)])
    func step(from: Double, to: Double) {
        var filter = HeadingFilter(timeConstant: .seconds(0.5))
        var now = Instant(nanoseconds: 0)
        _ = filter.update(.degrees(from), at: now)
        let way = Angle.shortest(from: .degrees(from), to: .degrees(to))
        var last = 0.0
        for _ in 0..<60 {
            now = now + .milliseconds(50)
            let filtered = filter.update(.degrees(to), at: now)
            let travelled = Angle.shortest(from: .degrees(from), to: filtered) / way * 10
            #expect(travelled >= last && travelled <= 10 + 1e-9)
            last = travelled
        }
        // 3 s are six time constants: exp(-6) = 0.25 % of 10° is left.
        #expect(last > 9.97)
    }

    @Test("a first heading of 0 is a heading")
    func zero() {
        var filter = HeadingFilter(timeConstant: .seconds(0.5))
        let first = filter.update(.zero, at: Instant(nanoseconds: 0))
        #expect(first == .zero)
        // One time constant towards 4: 1 - 1/e of the way.
        let next = filter.update(.degrees(4), at: Instant(nanoseconds: 500_000_000))
        #expect(abs(next.degrees - 4 * 0.632_120_558) < 1e-6)
    }

    @Test("a fast turn is followed with less smoothing, so that the lag stays small")
    func fastTurn() {
        var filter = HeadingFilter(timeConstant: .seconds(0.5))
        var lag = 0.0
        for step in 0..<400 {
            let heading = Angle.degrees(Double(step) * 3)
            let filtered = filter.update(heading, at: Instant(nanoseconds: Int64(step) * 50_000_000))
            lag = Angle.shortest(from: filtered, to: heading).degrees
        }
        // 60 deg/s with a time constant of 0.5 s would lag by 30°.
        #expect((0..<2).contains(lag))
    }

    @Test("a steady turn's lag is in the uncertainty")
    func lag() {
        var filter = HeadingFilter(timeConstant: .seconds(0.5))
        var heading = Angle.zero
        for step in 0..<400 {
            heading = .degrees(Double(step) * 0.5)
            _ = filter.update(heading, at: Instant(nanoseconds: Int64(step) * 50_000_000))
        }
        // 10 deg/s behind a time constant of 0.5 s: 5° of lag (4.75 in steps of 50 ms).
        #expect((4.5...5.2).contains(filter.uncertainty.degrees))
    }
}
