import HeadingPipeline
import Testing

@testable import compass_mqtt

@Suite("When what is kept is saved")
struct SaveScheduleTests {
    private let start = Instant(nanoseconds: 0)

    private func at(_ seconds: Double) -> Instant { start + .seconds(seconds) }

    /// The moments of all saves in so many seconds, with a command at each of `commands`.
    private func saves(commands: [Double], until end: Double) -> [Double] {
        var schedule = SaveSchedule(startingAt: start)
        var saves: [Double] = []
        var rest = commands[...]
        while true {
            let next = rest.first.map(at)
            let now = min(schedule.due, next ?? schedule.due)
            guard now <= at(end) else { return saves }
            if now == schedule.due {
                saves.append((now - start).seconds)
                schedule.didLook(at: now, hasWritten: true)
            } else {
                schedule.commandCame(at: now)
                rest = rest.dropFirst()
            }
        }
    }

    // Apart from the macro: Swift 6.0 does not compile a closure among its arguments.
    private static let slowly = (0..<18).map { 5 + Double($0) * 1.1 }

    @Test(
        "each of a person's changes is safe within a second",
        arguments: [[5], [5, 6], [5, 7, 8.5, 15, 24.9], slowly])
    func soon(commands: [Double]) {
        let saves = saves(commands: commands, until: 60)
        for command in commands { #expect(saves.contains { $0 >= command && $0 <= command + 1 }, "\(saves)") }
    }

    @Test("a flood is saved once a second, not once a message")
    func coalesced() {
        let saves = saves(commands: (0..<100).map { 5 + Double($0) * 0.05 }, until: 60)
        #expect(saves.count <= 7)
        #expect(saves.contains { $0 >= 9.95 && $0 <= 11 })
    }

    @Test("commands without end wear no card out, and the last one is saved too")
    func often() {
        let saves = saves(commands: (0..<3600).map(Double.init), until: 3700)
        #expect(saves.count <= 185 + 20)
        #expect(saves.contains { $0 >= 3599 })
    }

    @Test("after a flood it takes its time until a person's changes are safe at once again, but not for ever")
    func recovers() {
        let saves = saves(commands: (0..<100).map(Double.init) + [1000], until: 1100)
        #expect(saves.contains { $0 >= 1000 && $0 <= 1001 })
    }

    @Test("what changed nothing is not written and costs nothing")
    func unchanged() {
        var schedule = SaveSchedule(startingAt: start)
        for second in 0..<100 {
            schedule.commandCame(at: at(Double(second)))
            schedule.didLook(at: at(Double(second) + 0.2), hasWritten: false)
        }
        schedule.commandCame(at: at(200))
        #expect(schedule.due == at(200.2))
    }

    @Test("what could not be written is tried again within half a minute, for ever")
    func retried() {
        var schedule = SaveSchedule(startingAt: start)
        schedule.commandCame(at: start)
        for _ in 0..<3 {
            let now = schedule.due
            schedule.didLook(at: now, hasWritten: true)
            schedule.saveFailed(at: now)
            #expect(schedule.due - now <= .seconds(30) && schedule.due - now >= .seconds(10))
        }
        let now = schedule.due
        schedule.didLook(at: now, hasWritten: true)
        #expect(schedule.due - now == .seconds(600))
    }

    /// A file of 800 bytes is 115 KB a day.
    @Test("a trip alone is saved every ten minutes")
    func trip() { #expect(saves(commands: [], until: 86_400).count == 144) }
}
