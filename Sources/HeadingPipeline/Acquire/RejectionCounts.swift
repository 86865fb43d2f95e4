/// How many readings were refused, by reason.
package struct RejectionCounts: Hashable, Sendable {
    private var counts: [Rejection: UInt64] = [:]

    package init() {}

    package mutating func add(_ rejection: Rejection, times: UInt64 = 1) {
        counts[rejection, default: 0] += times
    }

    package subscript(_ rejection: Rejection) -> UInt64 { counts[rejection] ?? 0 }
}
