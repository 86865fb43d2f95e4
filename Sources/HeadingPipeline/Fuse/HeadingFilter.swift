import Glibc

/// A low-pass on the circle: first order, always the short way round, with an estimate of what it leaves
/// over: the noise that gets through and the lag behind a turn.
///
/// Beyond a rate that no vessel's steady turn has, it smooths the less the faster the heading turns, so that it
/// never lags far behind (after Casiez et al. 2012, "1€ filter").
package struct HeadingFilter: Hashable, Sendable {
    /// After such a gap the filter starts afresh.
    package static let longestGap = Interval.seconds(2)

    /// Up to this rate the time constant is the one that was asked for.
    private static let fastTurn = AngularRate.degreesPerSecond(10)
    /// What each further degree a second is worth: the lag that is allowed behind a fast turn.
    private static let allowedLag = Angle.degrees(1)
    private static let rateMemory = Interval.seconds(0.3)

    package var timeConstant: Interval
    private var rate = 0.0
    private var lastInput = Angle.zero
    private var state: Angle?
    private var lastUpdate: Instant?
    private var innovation = RunningMoments(memory: .seconds(2))
    private var gain = 1.0

    package init(timeConstant: Interval) { self.timeConstant = timeConstant }

    package mutating func reset() { self = HeadingFilter(timeConstant: timeConstant) }

    /// The filtered heading, [0°, 360°).
    package mutating func update(_ heading: Angle, at now: Instant) -> Angle {
        defer {
            lastUpdate = now
            lastInput = heading
        }
        guard let previous = state, let last = lastUpdate, now > last, now - last < Self.longestGap else {
            reset()
            state = heading.foldedPositive
            return heading.foldedPositive
        }
        let elapsed = now - last
        followRate(to: heading, elapsed.seconds)
        gain = timeConstant > .zero ? 1 - exp(-elapsed.seconds * cutoff) : 1
        innovation.add(Angle.shortest(from: previous, to: heading).radians, after: elapsed)
        let filtered = previous.interpolated(to: heading, fraction: gain)
        state = filtered
        return filtered
    }

    private mutating func followRate(to heading: Angle, _ elapsed: Double) {
        let turned = Angle.shortest(from: lastInput, to: heading).radians / elapsed
        rate += (turned - rate) * (1 - exp(-elapsed / Self.rateMemory.seconds))
    }

    /// Radians a second.
    private var cutoff: Double {
        let fast = max(0, rate.magnitude - Self.fastTurn.si)
        return 1 / timeConstant.seconds + fast / Self.allowedLag.radians
    }

    /// What the filter leaves over, 1 sigma: white noise of variance v comes out as v·g / (2 - g), but the errors of a
    /// vertical come slowly, and half of them are taken to pass; in a steady turn the output lags by what of the mean
    /// innovation is not taken over.
    package var uncertainty: Angle {
        let noise = innovation.variance * max(0.5, gain / (2 - gain))
        let lag = innovation.mean * (1 - gain)
        return Angle(radians: (noise + lag * lag).squareRoot())
    }
}
