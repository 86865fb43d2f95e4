/// The last value of something that not every report holds. gpsd sends several reports an epoch, some without
/// speed, height or error; what was there a moment ago still stands.
struct Recent<Value: Sendable>: Sendable {
    /// Two epochs of the usual receiver and a little.
    static var patience: Interval { .seconds(2.5) }

    private var value: Value?
    private var at = Instant(nanoseconds: 0)

    mutating func take(_ new: Value?, at now: Instant) {
        guard let new else { return }
        value = new
        at = now
    }

    mutating func forget() { value = nil }

    func current(at now: Instant) -> Value? {
        now - at <= Self.patience ? value : nil
    }
}
