import Glibc

/// The Earth's field at one place and time. Declination is positive east, inclination positive down.
package struct MagneticElements: Hashable, Sendable {
    package var north: FluxDensity
    package var east: FluxDensity
    package var down: FluxDensity
    package var yearlyChange: MagneticChange
    /// How far outside the model's own years, 0 inside.
    package var yearsOutsideValidity: Double

    /// Both vectors (north, east, down) in nanotesla.
    init(field: Vector3, yearlyChange change: Vector3, yearsOutsideValidity: Double) {
        north = .nanotesla(field.x)
        east = .nanotesla(field.y)
        down = .nanotesla(field.z)
        yearlyChange = MagneticChange(field: field, change: change)
        self.yearsOutsideValidity = yearsOutsideValidity
    }

    package var horizontal: FluxDensity { FluxDensity(si: hypot(north.si, east.si)) }
    package var total: FluxDensity { FluxDensity(si: hypot(horizontal.si, down.si)) }
    /// In (-180°, 180°].
    package var declination: Angle { .arcTangent(rise: east.si, run: north.si) }
    package var inclination: Angle { .arcTangent(rise: down.si, run: horizontal.si) }

    /// Where the horizontal field is too weak for a compass to be trusted.
    package enum Zone: String, Sendable { case normal, caution, blackout }

    package var zone: Zone {
        if horizontal < .nanotesla(2000) { return .blackout }
        return horizontal < .nanotesla(6000) ? .caution : .normal
    }

    /// 1 sigma: what the model leaves out (crust, currents) and how well it foretells.
    ///
    /// Inside its years the error model of WMM2025: 0.26° and 5417°/H as squares, H in nanotesla. Outside them
    /// the 5417° grow by 850° (15 nT across the field) a year, as WMM2010, 2015 and 2020 did against their
    /// successors in 2015, 2020 and 2025: weighted by area where H is over 6000 nT, the fields lie 52 nT
    /// apart after 5 years, 120 nT after 10 and 199 nT after 15.
    package var declinationUncertainty: Angle {
        Self.declinationUncertainty(horizontal: horizontal, yearsOutsideValidity: yearsOutsideValidity)
    }

    package static func declinationUncertainty(
        horizontal: FluxDensity, yearsOutsideValidity years: Double = 0
    ) -> Angle {
        let nanotesla = max(horizontal.nanotesla, 1)
        let degrees = hypot(0.26, (5417 + 850 * years) / nanotesla)
        // Beyond half a turn there is nothing more not to know.
        return .degrees(min(degrees, 180))
    }
}

/// What the elements gain in a year.
package struct MagneticChange: Hashable, Sendable {
    package var north: FluxDensity
    package var east: FluxDensity
    package var down: FluxDensity
    package var horizontal: FluxDensity
    package var total: FluxDensity
    package var declination: Angle
    package var inclination: Angle

    /// Both vectors (north, east, down) in nanotesla. Where the field is vertical the declination has no rate.
    init(field: Vector3, change: Vector3) {
        let horizontal = hypot(field.x, field.y)
        let total = field.length
        let perHorizontal = horizontal > 0 ? 1 / horizontal : 0
        let horizontalChange = (field.x * change.x + field.y * change.y) * perHorizontal
        let turn = (field.x * change.y - field.y * change.x) * perHorizontal * perHorizontal
        north = .nanotesla(change.x)
        east = .nanotesla(change.y)
        down = .nanotesla(change.z)
        self.horizontal = .nanotesla(horizontalChange)
        self.total = .nanotesla(field.dot(change) / total)
        declination = .radians(turn)
        inclination = .radians((horizontal * change.z - field.z * horizontalChange) / (total * total))
    }
}
