import HeadingPipeline
import Testing

@Suite("Fixes through the pipeline")
struct FixTests {
    private static let start = Instant(nanoseconds: 1_000_000_000)

    private static func fix(_ mode: GpsFix.Mode) -> GpsFix {
        var fix = GpsFix(mode: mode)
        guard mode != .none else { return fix }
        fix.position = place(50.3, -4.2)
        fix.speed = .metersPerSecond(3)
        fix.course = .degrees(212)
        return fix
    }

    @Test(
        "mode 2 is a fix, mode 1 is none",
        arguments: [(.none, false), (.twoDimensional, true), (.threeDimensional, true)]
            as [(GpsFix.Mode, Bool)])
    func modes(mode: GpsFix.Mode, isFix: Bool) {
        var pipeline = Pipeline(settings: Settings())
        let new = pipeline.take(Reading(at: Self.start, .fix(Self.fix(mode))))
        #expect((new.position != nil) == isFix)
        #expect((new.speed?.speed != nil) == isFix)
        #expect(pipeline.sources.gps.isOnline == isFix)
    }

    @Test("a receiver that loses its fix is offline after the stale time, not before, and the reason is told")
    func losesItsFix() {
        var pipeline = Pipeline(settings: Settings())
        _ = pipeline.take(Reading(at: Self.start, .fix(Self.fix(.threeDimensional))))
        var changes: [StatusChange] = []
        for second in 1...6 {
            let now = Self.start + .seconds(Double(second))
            _ = pipeline.take(Reading(at: now, .fix(Self.fix(.none))))
            while let change = pipeline.nextStale(at: now) { changes += [change.status].compactMap { $0 } }
            #expect(changes.isEmpty == (second < 5))
        }
        #expect(changes.count == 1)
        #expect(pipeline.sources.gps.state == .offline(reason: "the receiver has no fix"))
    }

    @Test("a refused fix is counted by its reason and keeps nothing alive")
    func countsRefusals() {
        var pipeline = Pipeline(settings: Settings())
        _ = pipeline.take(Reading(at: Self.start, .fix(Self.fix(.threeDimensional))))
        var wild = Self.fix(.threeDimensional)
        wild.position = place(50.7, -4.2)
        let new = pipeline.take(Reading(at: Self.start + .seconds(1), .fix(wild)))
        #expect(new.position == nil)
        #expect(pipeline.rejections[.wildFix] == 1)
        #expect(pipeline.sources.gps.lastGood == Self.start)
    }

    @Test("a speed and course carried over to a report without them keep the time of their own fix")
    func carriedMotionIsNotFresher() {
        var pipeline = Pipeline(settings: Settings())
        let time = UTCTime(year: 2026, month: 12, day: 1)
        var whole = Self.fix(.threeDimensional)
        whole.time = time
        _ = pipeline.take(Reading(at: Self.start, .fix(whole)))
        var bare = whole
        (bare.speed, bare.course, bare.time) = (nil, nil, time + .seconds(1))
        let new = pipeline.take(Reading(at: Self.start + .seconds(1), .fix(bare)))
        #expect(new.position?.time == time + .seconds(1))
        #expect(new.speed?.speed?.speed == .metersPerSecond(3))
        #expect(new.speed?.time == time)
        #expect(new.course?.time == time)
    }
}
