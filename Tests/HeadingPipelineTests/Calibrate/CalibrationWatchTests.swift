import HeadingPipeline
import Testing

@Suite("Watch on the calibration")
struct CalibrationWatchTests {
    private let plymouth = EarthField(strength: .microtesla(48.637), inclination: .degrees(65.33))

    private func watch(_ seconds: Int, _ watch: inout CalibrationWatch, strength: Double, dip: Double = 65.33)
    {
        for _ in 0..<seconds {
            clock += 1
            watch.update(
                strength: .microtesla(strength), inclination: .degrees(dip), expected: plymouth,
                at: Instant(nanoseconds: Int64(clock) * 1_000_000_000))
        }
    }

    private final class Clock { var seconds = 0 }
    private let counter = Clock()
    private var clock: Int {
        get { counter.seconds }
        nonmutating set { counter.seconds = newValue }
    }

    @Test("is silent while strength and dip are the model's, within what noise and scale do")
    func silent() {
        var state = CalibrationWatch()
        watch(1200, &state, strength: 50.5, dip: 67)
        #expect(state.suspicion == nil)
    }

    @Test("says how far the strength is off, after minutes, and takes it back")
    func strength() throws {
        var state = CalibrationWatch()
        watch(60, &state, strength: 56)
        #expect(state.suspicion == nil)
        watch(240, &state, strength: 56)
        // 56 is 15.1 % over 48.637.
        let share = try #require(state.suspicion?.strengthShare)
        #expect(abs(share - 0.151) < 0.005)
        watch(1500, &state, strength: 48.7)
        #expect(state.suspicion == nil)
    }

    @Test("a magnet that passes by for half a minute raises nothing", arguments: [60.0, 200, 20])
    func passing(strength: Double) {
        var state = CalibrationWatch()
        watch(400, &state, strength: 48.7)
        watch(30, &state, strength: strength)
        #expect(state.suspicion == nil)
    }

    @Test("a dip that is off, and a course that leaves the heading")
    func dipAndCourse() {
        var state = CalibrationWatch()
        watch(400, &state, strength: 48.7, dip: 56)
        #expect(state.suspicion?.dip != nil)
        var courses = CalibrationWatch()
        for _ in 0..<400 {
            courses.update(course: .degrees(20), heading: .degrees(355), speed: .knots(5))
        }
        #expect(abs((courses.suspicion?.course?.degrees ?? 0) - 25) < 0.1)
        var slow = CalibrationWatch()
        for _ in 0..<400 { slow.update(course: .degrees(20), heading: .degrees(355), speed: .knots(1)) }
        #expect(slow.suspicion == nil)
    }
}
