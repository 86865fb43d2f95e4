import Glibc

/// A low-pass on a vector: first order.
struct VectorFilter: Hashable, Sendable {
    /// After such a gap the filter starts afresh.
    private static let longestGap = Interval.seconds(1)

    private let timeConstant: Interval
    private var value = Vector3.zero
    private var at: Instant?

    init(timeConstant: Interval) { self.timeConstant = timeConstant }

    mutating func reset() { at = nil }

    mutating func update(_ vector: Vector3, at now: Instant) -> Vector3 {
        defer { at = now }
        guard let last = at, now > last, now - last < Self.longestGap else {
            value = vector
            return vector
        }
        value = value + (vector - value) * (1 - exp(-(now - last).seconds / timeConstant.seconds))
        return value
    }
}
