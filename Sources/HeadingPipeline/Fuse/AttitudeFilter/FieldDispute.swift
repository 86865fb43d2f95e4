import Glibc

/// A field that is right by itself, as strong and as steep as the one before, but points elsewhere than the attitude says
/// that it must. Iron and magnets nearly always change strength or dip; a gyroscope that lies does not. Who is right is
/// not known at first: until then the heading is no better than the two agree.
struct FieldDispute: Hashable, Sendable {
    /// By so many sigmas of what is usual the bearing differs before it counts, and before it counts wholly: as a doubt, and
    /// against the gyroscope.
    private static let (doubtful, sureDoubt) = (0.9, 2.4)
    private static let (usual, certain) = (1.0, 3.0)
    /// What a covered error is of the interval that covers it, 1 sigma: 1 / 1.96, and a fifth more.
    private static let share = 0.6
    private static let doubtMemory = 1.0
    /// A single sample says little: seconds until the difference counts wholly.
    private static let slowness = 0.8
    /// The undisturbed field is as strong as before, and its level and downward parts are, to these shares of its strength:
    /// a boat leans by some degrees in a turn of which the gyroscope says nothing.
    private static let (strengthTolerance, dipTolerance) = (0.03, 0.065)
    /// By which the accelerometer's own vertical, if the field's dip confirms it, proves the attitude's wrong.
    private static let tiltDifference = Angle.degrees(6).sine
    private static let longestStep = 0.2

    /// Of the heading, 1 sigma, radians.
    private(set) var doubt = 0.0
    private var attention = 0.0
    /// For how long there has been one, less how long there has been none, seconds.
    private(set) var presence = 0.0
    /// For how long the field has been right and where it must be, less how long it has been another, seconds.
    private(set) var agreement = 0.0

    mutating func forgetAgreement() { agreement = 0 }

    /// What a sample of the field says, beside what is expected.
    struct Evidence {
        /// µT, in the attitude's earth frame.
        var field: Vector3
        /// The undisturbed one.
        var reference: Vector3
        /// Where the accelerometer by itself sees down, in the attitude's earth frame; `nil`: it does not tell.
        var down: Vector3?
        /// 1 sigma, radians.
        var bearingUncertainty: Double
        var tiltUncertainty: Double
        /// It is no repetition of one before.
        var isNew: Bool

        /// From the north that the attitude knows, with the vertical that fits the field's dip; `nil`: none does, the field
        /// is another.
        var bearing: Double? {
            let strength = reference.length
            guard (field.length - strength).magnitude < strengthTolerance * strength else { return nil }
            if fits(down: Vector3(0, 0, 1)) { return atan2(field.y, field.x).magnitude }
            guard isTilted, let down, fits(down: down) else { return nil }
            let north = field - down * field.dot(down)
            return max(atan2(north.y, north.x).magnitude, certain * bearingUncertainty)
        }

        private var isTilted: Bool {
            guard let down else { return false }
            return down.x * down.x + down.y * down.y > tiltDifference * tiltDifference
        }

        private func fits(down: Vector3) -> Bool {
            let vertical = field.dot(down)
            let level = (field - down * vertical).length
            let off = Vector3(level - reference.x, 0, vertical - reference.z)
            let allowed = (dipTolerance * dipTolerance + tiltUncertainty * tiltUncertainty).squareRoot()
            return off.length < allowed * reference.length
        }
    }

    mutating func update(_ evidence: Evidence, _ step: Double) {
        let step = min(step, Self.longestStep)
        doubt *= exp(-step / Self.doubtMemory)
        guard let bearing = evidence.bearing else {
            attention = max(0, attention - step / Self.slowness)
            presence = max(0, presence - 2 * step)
            agreement = max(0, agreement - 2 * step)
            return
        }
        let excess = bearing / evidence.bearingUncertainty
        let doubtful = Self.ramp(excess, Self.doubtful, Self.sureDoubt)
        attention = max(0, min(1, attention + (doubtful > 0 ? step : -step) / Self.slowness))
        doubt = max(doubt, bearing * Self.share * doubtful * (evidence.isNew ? attention : 1))
        guard evidence.isNew else { return }
        let weight = Self.ramp(excess, Self.usual, Self.certain)
        presence = max(0, presence + (2 * weight - 1) * step)
        agreement = weight == 1 ? 0 : max(0, agreement + (1 - 2 * weight) * step)
    }

    private static func ramp(_ value: Double, _ begin: Double, _ end: Double) -> Double {
        min(1, max(0, (value - begin) / (end - begin)))
    }
}
