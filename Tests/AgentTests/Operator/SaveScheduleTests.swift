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
                schedule.didSave(at: now)
            } else {
                schedule.commandCame(at: now)
                rest = rest.dropFirst()
            }
        }
    }

    @Test("a command's change is safe within a second")
    func soon() { #expect(saves(commands: [5], until: 60) == [5.2]) }

    @Test("commands without end wear no card out, and the last one is saved too")
    func often() {
        let saves = saves(commands: (0..<3600).map(Double.init), until: 3700)
        #expect(saves.count <= 185)
        #expect(saves.contains { $0 >= 3599 })
    }

    /// A file of 800 bytes is 115 KB a day.
    @Test("a trip alone is saved every ten minutes")
    func trip() { #expect(saves(commands: [], until: 86_400).count == 144) }
}
