/// How far fixes lie from a smooth track, learned from the fixes themselves. The absolute error of a position
/// says little of it: most of that error is the same in the next fix.
struct NoiseEstimate: Sendable {
    /// What is assumed before there is anything to learn from: of the 95 % radius of the position.
    private static let assumedShare = 0.1
    private static let assumedWeight = 2.0
    /// Share of the old kept at each fix: about thirty fixes count.
    private static let memory = 0.97
    /// Positions come in steps of centimetres at best.
    private static let floor = 0.05
    /// Metres per second, one sigma: positions wander so slowly that a run does not show it.
    private static let drift = 0.1

    private var sumOfSquares = 0.0
    private var weight = 0.0

    /// One axis, one sigma, in square metres.
    private var variance: Double {
        weight > 0 ? max(sumOfSquares / weight, Self.floor * Self.floor) : Self.floor * Self.floor
    }

    /// Takes in the newest short run. Runs overlap, so each new fix brings two new degrees of freedom.
    mutating func add(_ track: StraightTrack, horizontalAccuracy: Length) {
        if weight == 0 {
            let assumed = Self.assumedShare * horizontalAccuracy.meters
            weight = Self.assumedWeight
            sumOfSquares = assumed * assumed * weight
        }
        weight = weight * Self.memory + 2
        sumOfSquares = sumOfSquares * Self.memory + 2 * track.sumOfSquares / track.degreesOfFreedom
    }

    /// Half-width of the 95 % interval of one component of the velocity.
    func velocityAccuracy(_ track: StraightTrack) -> Speed {
        let scatter = studentQuantile * (variance / track.spread).squareRoot()
        let wander = 1.96 * Self.drift
        return .metersPerSecond((scatter * scatter + wander * wander).squareRoot())
    }

    /// A speed that noise alone does not reach in days: five sigma, more while the noise is not known well.
    /// A receiver that holds its position at rest shows no noise, then leaps: the run itself tells of the leap.
    func margin(_ track: StraightTrack) -> Speed {
        let own = track.sumOfSquares / track.degreesOfFreedom
        let scatter = (1 + 4 / weight) * (max(variance, own) / track.spread).squareRoot()
        return .metersPerSecond(5 * (scatter * scatter + Self.drift * Self.drift).squareRoot())
    }

    /// Whether the fixes lie as near to this line as noise alone would put them.
    func allows(_ track: StraightTrack) -> Bool {
        track.sumOfSquares / track.degreesOfFreedom <= 2 * variance
    }

    /// Student's t at 97.5 %, to 4 % from two degrees of freedom on.
    private var studentQuantile: Double { 1.96 + 2.37 / weight + 2.8 / (weight * weight) }
}
