import HeadingPipeline

/// When what is kept is written to the disk: soon after a command, seldom for the trip alone, so that a memory card
/// lasts.
struct SaveSchedule {
    /// A command's change is safe after so long...
    private static let afterCommand = Interval.milliseconds(200)
    /// ... unless one was saved just before.
    private static let betweenCommands = Interval.seconds(20)
    private static let betweenTrips = Interval.seconds(600)

    private var lastSave: Instant?
    private var lastCommandSave: Instant?
    private var commandSince: Instant?
    private let start: Instant

    init(startingAt start: Instant) { self.start = start }

    mutating func commandCame(at now: Instant) { commandSince = commandSince ?? now }

    /// When to save next, if there is something new.
    var due: Instant {
        let trip = (lastSave ?? start) + Self.betweenTrips
        guard let commandSince else { return trip }
        let soon = commandSince + Self.afterCommand
        return min(trip, lastCommandSave.map { max(soon, $0 + Self.betweenCommands) } ?? soon)
    }

    mutating func didSave(at now: Instant) {
        lastSave = now
        if commandSince != nil { lastCommandSave = now }
        commandSince = nil
    }
}
