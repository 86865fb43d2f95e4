/// What a cloud of raw field vectors gives: a calibration, how good it is, and what is missing.
package struct CalibrationFit: Hashable, Sendable {
    package enum Shape: Hashable, Sendable {
        /// Hard and soft iron in all three axes.
        case ellipsoid
        /// Hard iron only: the cloud tells no more.
        case sphere
        /// Hard and soft iron in one plane, the one whose normal is given (unit, sensor frame): good while
        /// the vessel is level.
        case levelTurn(normal: Vector3)

        package var isLevelTurn: Bool {
            if case .levelTurn = self { return true }
            return false
        }
    }

    package enum Verdict: Hashable, Sendable {
        case good, usable
        case insufficient([Shortcoming])
    }

    package var shape: Shape
    /// Scaled to the strength that is to be expected here, where that is known.
    package var calibration: MagneticCalibration
    /// Of the calibrated field.
    package var strength: FluxDensity
    /// Of the calibrated strength about its mean, 1 sigma.
    package var residual: FluxDensity
    /// What the residual, and the fit's own uncertainty, make of a heading, 1 sigma; in the worst direction.
    package var headingError: Angle
    /// The horizontal field that this is reckoned with.
    package var horizontalField: FluxDensity
    /// Of the hard iron in the direction that is known worst, 1 sigma.
    package var offsetUncertainty: FluxDensity
    /// 0...1; of a level turn: of the full circle.
    package var coverage: Double
    /// How unevenly the cloud determines the unknowns; 5 is good, 50 poor.
    package var condition: Double
    /// The longest over the shortest half axis of the raw cloud.
    package var axisRatio: Double
    package var samples: Int
    /// Samples that lay so far off that they were left out.
    package var outliers: Int
    /// Expected over measured strength: what the scale was set by; `nil` where nothing is expected.
    package var scale: Double?
    package var dip: DipMeasurement?
    package var expected: EarthField?
    package var verdict: Verdict

    package var isUsable: Bool {
        if case .insufficient = verdict { return false }
        return true
    }
}

/// The Earth's field as it is expected here.
package struct EarthField: Hashable, Sendable {
    package var strength: FluxDensity
    /// Positive down.
    package var inclination: Angle

    package init(strength: FluxDensity, inclination: Angle) {
        self.strength = strength
        self.inclination = inclination
    }

    package var horizontal: FluxDensity { strength * inclination.cosine }

    /// Where nothing is known: that of the temperate latitudes, where most people sail.
    package static let typicalInclination = Angle.degrees(62)
}

/// The dip that calibrated field and gravity give together.
package struct DipMeasurement: Hashable, Sendable {
    package var mean: Angle
    /// From one pose to another, 1 sigma.
    package var scatter: Angle
}

/// Why a cloud gives no calibration.
package enum Shortcoming: Hashable, Sendable {
    case tooFewSamples(Int, needed: Int)
    /// Shares of the sphere or circle.
    case coverage(Double, needed: Double)
    case residual(share: Double, allowed: Double)
    case offsetUncertain(share: Double, allowed: Double)
    case stretched(axisRatio: Double, allowed: Double)
    /// Expected over measured strength.
    case scale(Double)
    case noShape

    package var text: String {
        switch self {
        case .tooFewSamples(let count, let needed): "\(count) samples where \(needed) are needed"
        case .coverage(let share, let needed):
            "only \(Self.percent(share)) of the directions are covered, \(Self.percent(needed)) are needed"
        case .residual(let share, let allowed):
            "the calibrated strength still varies by \(Self.percent(share)), at most \(Self.percent(allowed))"
                + " is allowed: the field was disturbed, or the sensor is noisy"
        case .offsetUncertain(let share, let allowed):
            "the offset is known to \(Self.percent(share)) of the strength only,"
                + " \(Self.percent(allowed)) is needed"
        case .stretched(let ratio, let allowed):
            "the cloud is stretched \(decimalText(ratio, places: 1)) to 1, no more than"
                + " \(decimalText(allowed, places: 1)) is believed"
        case .scale(let scale):
            "the Earth's field is \(decimalText(scale, places: 2)) times what the sensor shows: its scale is wrong"
        case .noShape: "the samples lie on no ellipsoid, sphere or circle"
        }
    }

    private static func percent(_ share: Double) -> String {
        "\(decimalText(share * 100, places: share < 0.1 ? 1 : 0)) %"
    }
}
