/// How long to wait before a device is looked for again: 1, 2, 4 ... 30 s.
package struct SearchDelay: Sendable {
    private var seconds = 1.0

    package init() {}

    package mutating func next() -> Interval {
        defer { seconds = min(seconds * 2, 30) }
        return .seconds(seconds)
    }
}
