import HeadingPipeline
import Testing

@Suite("Times of samples")
struct TimingTests {
    private let now = Instant(nanoseconds: 100_000_000_000)
    private let wall = UTCTime(nanoseconds: 1_796_040_482_500_000_000)

    // MARK: Poll schedule

    @Test("readings that take time do not add up")
    func noDrift() {
        var schedule = PollSchedule(start: now, rate: 20)
        var moments: [Int64] = []
        for _ in 0..<4 {
            moments.append((schedule.next - now).nanoseconds / 1_000_000)
            // Each reading takes 12 ms.
            schedule.advance(past: schedule.next + .milliseconds(12))
        }
        #expect(moments == [0, 50, 100, 150])
    }

    @Test("a read that hung for 2 s is not followed by a burst")
    func noBurst() {
        var schedule = PollSchedule(start: now, rate: 20)
        schedule.advance(past: now + .milliseconds(2010))
        #expect(schedule.next == now + .milliseconds(2050))
        schedule.advance(past: now + .milliseconds(2100))
        #expect(schedule.next == now + .milliseconds(2150))
    }

    @Test("no rate is too high or too low")
    func rates() {
        #expect(PollSchedule(start: now, rate: 1e9).period == .seconds(1e-5))
        #expect(PollSchedule(start: now, rate: 0).period == .seconds(1000))
    }

    // MARK: Capture clock

    @Test("a monotonic stamp is the moment")
    func monotonic() {
        var clock = CaptureClock(.monotonic)
        let stamp = now.nanoseconds - 30_000_000
        #expect(clock.instant(of: stamp, now: now, wall: wall) == now - .milliseconds(30))
    }

    @Test("a wall-clock stamp is brought over by the difference of the clocks")
    func wallClock() {
        var clock = CaptureClock(.wall)
        let stamp = wall.nanoseconds - 30_000_000
        #expect(clock.instant(of: stamp, now: now, wall: wall) == now - .milliseconds(30))
    }

    @Test(
        "a stamp from the future or from long ago is not believed",
        arguments: [0, -1, Int64.max, Int64.min, 100_000_000_001, 97_000_000_000])
    func unbelievable(stamp: Int64) {
        var clock = CaptureClock(.monotonic)
        #expect(clock.instant(of: stamp, now: now, wall: wall) == now)
    }

    @Test("the wall clock steps by ten years between stamp and reading: now")
    func step() {
        var clock = CaptureClock(.wall)
        let tenYears = 315_576_000_000_000_000 as Int64
        #expect(clock.instant(of: wall.nanoseconds - tenYears, now: now, wall: wall) == now)
        #expect(clock.instant(of: wall.nanoseconds + tenYears, now: now, wall: wall) == now)
    }

    @Test("moments never run backwards")
    func forward() {
        var clock = CaptureClock(.monotonic)
        _ = clock.instant(of: now.nanoseconds - 10, now: now, wall: wall)
        #expect(
            clock.instant(of: now.nanoseconds - 50, now: now, wall: wall) == now - Interval(nanoseconds: 10))
    }

    @Test("frames without a stamp lie a period apart")
    func unstamped() {
        var clock = CaptureClock(.wall)
        let period = Interval.milliseconds(50)
        #expect(clock.instant(following: 1, period: period, now: now) == now - period)
        #expect(clock.instant(following: 0, period: period, now: now) == now)
    }

    // MARK: Faults and searches

    @Test("a failure now and then is silent; ten minutes of them are two lines")
    func faults() {
        var faults = ReadFaults()
        #expect(faults.failed(at: now) == nil)
        #expect(faults.succeeded() == nil)
        var notices: [ReadFaults.Notice] = []
        for second in 0..<600 {
            notices += [faults.failed(at: now + .seconds(Double(second)))].compactMap { $0 }
        }
        notices += [faults.succeeded()].compactMap { $0 }
        #expect(notices == [.failing, .recovered(failures: 600)])
        #expect(faults.succeeded() == nil)
    }

    @Test("a search goes 1, 2, 4 ... 30 s")
    func search() {
        var delay = SearchDelay()
        #expect((0..<7).map { _ in delay.next() } == [1, 2, 4, 8, 16, 30, 30].map { Interval.seconds($0) })
    }
}
