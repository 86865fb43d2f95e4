import HeadingPipeline
import Testing

@Suite("Instants and intervals")
struct InstantTests {
    static let ever = Instant(nanoseconds: .max)
    static let never = Instant(nanoseconds: .min)
    static let now = Instant(nanoseconds: 5_000_000_000)

    @Test("what lies beyond the ends of the scale stays there")
    func saturation() {
        #expect(Self.never - Self.now < .zero)
        #expect(Self.ever - Self.now > .zero)
        #expect(Self.ever + .seconds(1) == Self.ever)
        #expect(Self.never - .seconds(1) == Self.never)
        #expect(UTCTime(nanoseconds: .max) + .seconds(1) == UTCTime(nanoseconds: .max))
        #expect(Interval.seconds(.infinity) > .zero)
        #expect(Interval.seconds(.nan) == .zero)
    }

    @Test("an interval added is the interval between")
    func difference() {
        #expect((Self.now + .milliseconds(1500)) - Self.now == .seconds(1.5))
        #expect(Interval.seconds(2) * 0.25 == .milliseconds(500))
    }
}
