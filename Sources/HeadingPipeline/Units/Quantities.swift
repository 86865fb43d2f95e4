/// A speed; stored in metres per second.
package struct Speed: Quantity {
    package var si: Double
    package init(si: Double) { self.si = si }
    package static func metersPerSecond(_ value: Double) -> Speed { Speed(si: value) }
    /// One knot is one nautical mile (1852 m) an hour.
    package static func knots(_ value: Double) -> Speed { Speed(si: value * (1852.0 / 3600)) }
    package var metersPerSecond: Double { si }
    package var knots: Double { si * (3600.0 / 1852) }
}

/// A length, height or distance; stored in metres.
package struct Length: Quantity {
    package var si: Double
    package init(si: Double) { self.si = si }
    package static func meters(_ value: Double) -> Length { Length(si: value) }
    package static func kilometers(_ value: Double) -> Length { Length(si: value * 1000) }
    package var meters: Double { si }
    package var kilometers: Double { si / 1000 }
    package var nauticalMiles: Double { si / 1852 }
}

/// A magnetic flux density; stored in tesla. The kernel's unit is the gauss (1 G = 100 µT), the magnetic
/// model's the nanotesla.
package struct FluxDensity: Quantity {
    package var si: Double
    package init(si: Double) { self.si = si }
    package static func microtesla(_ value: Double) -> FluxDensity { FluxDensity(si: value * 1e-6) }
    package static func nanotesla(_ value: Double) -> FluxDensity { FluxDensity(si: value * 1e-9) }
    package static func gauss(_ value: Double) -> FluxDensity { FluxDensity(si: value * 1e-4) }
    package var microtesla: Double { si * 1e6 }
    package var nanotesla: Double { si * 1e9 }
}

/// A rate of turn; stored in radians per second. Positive to starboard.
package struct AngularRate: Quantity {
    package var si: Double
    package init(si: Double) { self.si = si }
    package static func radiansPerSecond(_ value: Double) -> AngularRate { AngularRate(si: value) }
    package static func degreesPerSecond(_ value: Double) -> AngularRate {
        AngularRate(si: value * (.pi / 180))
    }
    package static func degreesPerMinute(_ value: Double) -> AngularRate {
        AngularRate(si: value * (.pi / (180 * 60)))
    }
    package var degreesPerSecond: Double { si * (180 / .pi) }
    package var degreesPerMinute: Double { si * (180 * 60 / .pi) }
}
