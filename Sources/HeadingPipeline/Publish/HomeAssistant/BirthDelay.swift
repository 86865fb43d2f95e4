/// When everything is to be sent again after Home Assistant has (re)started: not at once, since every agent and device
/// hears it at the same moment, and once for any number of births.
package struct BirthDelay: Sendable {
    private var due: Instant?

    package init() {}

    /// - Parameter random: 0...1
    package mutating func born(at now: Instant, random: Double) {
        if due == nil { due = now + .seconds(1 + 9 * random) }
    }

    /// True once it is due.
    package mutating func take(at now: Instant) -> Bool {
        guard let due, now >= due else { return false }
        self.due = nil
        return true
    }
}
