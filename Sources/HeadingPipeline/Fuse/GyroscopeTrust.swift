import Glibc

/// Whether the gyroscope is believed. One that the field contradicts is not, until it has gone along with the field again for
/// a while; the heading comes from field and vertical meanwhile.
package struct GyroscopeTrust: Hashable, Sendable {
    package enum Fault: Hashable, Sendable {
        /// It repeats one reading while the field turns.
        case frozen
        /// It turns otherwise than the field.
        case contradicted
    }

    /// A plausible field must have contradicted for so many seconds; a gyroscope that repeats one reading, shorter.
    private static let patience = 2.5
    private static let patienceWhenRepeating = 1.0
    /// So many seconds it must go along, twice as long where it was believed again and lied again ...
    private static let probation = 8.0
    private static let longestProbation = 64.0
    /// ... a little longer where it lies on while nobody believes it ...
    private static let probationOfLiars = 12.0
    /// ... unless the last time was so long ago.
    private static let forgiving = Interval.seconds(120)
    /// At first it may as well be the field that is wrong.
    private static let doubtMemory = 4.0
    /// What the gyroscope says at rest may wander as it warms, not jump by more, rad/s.
    private static let mostBiasStep = 1 * Double.pi / 180

    /// `nil`: it is believed.
    package private(set) var fault: Fault?
    private var probation = Self.probation
    private var convictedAt: Instant?
    private var doubt = 0.0
    /// rad/s, as it was before the first contradiction, or has wandered since.
    private var usualBias: Vector3?

    package init() {}

    /// Whether the dispute between gyroscope and field is decided against the gyroscope; `isLost`: the two give no heading at
    /// all.
    mutating func judge(
        _ dispute: FieldDispute, isLost: Bool, isRepeating: Bool, at now: Instant
    ) -> Bool {
        let patience = isRepeating ? Self.patienceWhenRepeating : Self.patience
        guard isLost || dispute.presence > patience else { return false }
        if fault != nil {
            probation = max(probation, Self.probationOfLiars)
        } else {
            probation = isSuspect(at: now) ? min(Self.longestProbation, probation * 2) : Self.probation
        }
        // One that stands still is the liar; else the field may be.
        doubt = isRepeating ? 0 : dispute.doubt
        fault = isRepeating ? .frozen : .contradicted
        convictedAt = now
        return true
    }

    /// To be told of the bias, rad/s, while the gyroscope is believed.
    mutating func follow(bias: Vector3) {
        guard fault == nil, !hasJumped(bias) else { return }
        usualBias = bias
    }

    /// After a contradiction field and gyroscope go together again, but only as if its bias had jumped: a field that turns the
    /// wrong way looks the same.
    func isUnresolved(bias: Vector3) -> Bool { fault == .contradicted || fault == nil && hasJumped(bias) }

    private func hasJumped(_ bias: Vector3) -> Bool {
        guard convictedAt != nil, let usualBias else { return false }
        return (bias - usualBias).length > Self.mostBiasStep
    }

    /// It has lied not long ago.
    func isSuspect(at now: Instant) -> Bool { convictedAt.map { now - $0 < Self.forgiving } ?? false }

    /// Whether it is to be believed again, after having gone along with the field.
    mutating func review(_ dispute: FieldDispute) -> Bool {
        guard fault != nil, dispute.agreement >= probation else { return false }
        fault = nil
        return true
    }

    /// What the last contradiction leaves open of the heading, 1 sigma.
    func remainingDoubt(at now: Instant) -> Angle {
        guard let convictedAt else { return .zero }
        return .radians(doubt * exp(-(now - convictedAt).seconds / Self.doubtMemory))
    }
}
