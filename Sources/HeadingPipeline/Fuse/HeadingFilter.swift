import Glibc

/// A low-pass on the circle: first order, always the short way round, with an estimate of what it leaves
/// over: the noise that gets through and the lag behind a turn.
package struct HeadingFilter: Hashable, Sendable {
    /// After such a gap the filter starts afresh.
    package static let longestGap = Interval.seconds(2)

    private let timeConstant: Interval
    private var state: Angle?
    private var lastUpdate: Instant?
    private var innovation = RunningMoments(memory: .seconds(2))
    private var gain = 1.0

    package init(timeConstant: Interval) { self.timeConstant = timeConstant }

    package mutating func reset() { self = HeadingFilter(timeConstant: timeConstant) }

    /// The filtered heading, [0°, 360°).
    package mutating func update(_ heading: Angle, at now: Instant) -> Angle {
        defer { lastUpdate = now }
        guard let previous = state, let last = lastUpdate, now > last, now - last < Self.longestGap else {
            reset()
            state = heading.foldedPositive
            return heading.foldedPositive
        }
        let elapsed = now - last
        gain = timeConstant > .zero ? 1 - exp(-elapsed.seconds / timeConstant.seconds) : 1
        innovation.add(Angle.shortest(from: previous, to: heading).radians, after: elapsed)
        let filtered = previous.interpolated(to: heading, fraction: gain)
        state = filtered
        return filtered
    }

    /// What the filter leaves over, 1 sigma: white noise of variance v comes out as v·g / (2 - g); in a
    /// steady turn the output lags by what of the mean innovation is not taken over.
    package var uncertainty: Angle {
        let noise = innovation.variance * gain / (2 - gain)
        let lag = innovation.mean * (1 - gain)
        return Angle(radians: (noise + lag * lag).squareRoot())
    }
}
