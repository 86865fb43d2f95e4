import HeadingPipeline

/// When what is kept is written to the disk: right after a command, seldom for the trip alone. A memory card lasts because
/// only a person's worth of changes is saved at once: of a flood that goes on, one save every 20 s is left, of some
/// kilobytes each.
struct SaveSchedule {
    /// A command's change is safe after so long, and so are those that come meanwhile.
    private static let afterCommand = Interval.milliseconds(200)
    private static let betweenCommands = Interval.milliseconds(800)
    /// So many saves may follow each other at once; one more is earned in each `earning`.
    private static let mostCredit = 20.0
    private static let earning = Interval.seconds(20)
    private static let betweenTrips = Interval.seconds(600)
    /// A disk that was full may have room again.
    private static let beforeRetry = Interval.seconds(20)

    private var lastLook: Instant
    private var lastCommandSave: Instant?
    private var commandSince: Instant?
    private var retryAt: Instant?
    /// Saves that may follow ``lastCommandSave``.
    private var credit = Self.mostCredit

    init(startingAt start: Instant) { lastLook = start }

    mutating func commandCame(at now: Instant) { commandSince = commandSince ?? now }

    /// When to look next whether there is something new to save.
    var due: Instant {
        let trip = retryAt ?? lastLook + Self.betweenTrips
        guard let commandSince else { return trip }
        let soon = commandSince + Self.afterCommand
        return min(trip, lastCommandSave.map { max(soon, $0 + pause) } ?? soon)
    }

    /// From one save to the next.
    private var pause: Interval {
        max(Self.betweenCommands, Self.earning * max(0, 1 - credit))
    }

    mutating func didLook(at now: Instant, hasWritten: Bool) {
        lastLook = now
        if hasWritten, commandSince != nil {
            let earned = lastCommandSave.map { (now - $0).seconds / Self.earning.seconds } ?? 0
            credit = min(Self.mostCredit, credit + earned) - 1
            lastCommandSave = now
        }
        commandSince = nil
        retryAt = nil
    }

    /// What was to be written at the last look could not be.
    mutating func saveFailed(at now: Instant) { retryAt = now + Self.beforeRetry }
}
