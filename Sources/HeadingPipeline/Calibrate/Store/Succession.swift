/// Whether a new calibration takes the place of the one in force.
package enum Succession: Hashable, Sendable {
    case takesOver
    /// The one in force was good, but the hard iron is another since: by how much, in the calibrated field.
    case takesOverMoved(FluxDensity)
    /// The one in force is better and still fits what the new one was learned from, within this.
    case staysBehind(FluxDensity)

    package var isBehind: Bool { if case .staysBehind = self { true } else { false } }
}

extension CalibrationFit {
    /// A usable fit does not take the place of a good one, unless it shows that the good one fits no longer.
    package func succession(after old: CalibrationRecord?) -> Succession {
        guard verdict == .usable, case .magnetic(let old) = old?.content, old.quality == .good else {
            return .takesOver
        }
        let moved = FluxDensity.microtesla(move(from: old.calibration).length)
        let least = max(doubt(about: old.calibration) * 3, Self.leastMove)
        return moved > least ? .takesOverMoved(moved) : .staysBehind(moved)
    }

    /// Less turns a heading by no more than what a good calibration leaves.
    private static var leastMove: FluxDensity { .microtesla(1) }

    /// What the old calibration leaves of the hard iron that was found now, as far as these samples can tell.
    private func move(from old: MagneticCalibration) -> Vector3 {
        let whole = old.corrected(calibration.hardIron)
        guard case .levelTurn(let normal) = shape else { return whole }
        let up = (old.softIron * normal).normalized ?? normal
        return whole - up * whole.dot(up)
    }

    /// 1 sigma.
    private func doubt(about old: MagneticCalibration) -> FluxDensity {
        let (new, old) = (calibration.residual.si, old.residual.si)
        return FluxDensity(si: (new * new + old * old).squareRoot())
    }
}
