/// One thing that was learned of a sensor on its vessel, with where and when.
package struct CalibrationRecord: Hashable, Sendable {
    /// To which sensor it belongs (``SensorDescription/identity``); to no other is it applied.
    package var sensor: String
    package var time: UTCTime?
    package var place: GeoPosition?
    package var content: Content

    package init(sensor: String, time: UTCTime?, place: GeoPosition?, content: Content) {
        self.sensor = sensor
        self.time = time
        self.place = place
        self.content = content
    }

    package enum Kind: String, CaseIterable, Sendable {
        case magnetic, level, alignment, deviation
    }

    package enum Content: Hashable, Sendable {
        case magnetic(MagneticRecord)
        case level(LevelTilt)
        case alignment(Alignment)
        case deviation(DeviationTable)
    }

    package var kind: Kind {
        switch content {
        case .magnetic: .magnetic
        case .level: .level
        case .alignment: .alignment
        case .deviation: .deviation
        }
    }
}

/// A magnetometer's calibration with what tells how good it is.
package struct MagneticRecord: Hashable, Sendable {
    package enum Quality: String, CaseIterable, Sendable { case good, usable }
    package enum Shape: String, CaseIterable, Sendable {
        case ellipsoid, sphere
        case levelTurn = "level_turn"
    }

    package var calibration: MagneticCalibration
    package var quality: Quality
    package var shape: Shape
    package var strength: FluxDensity
    /// The residual as an angle of heading, 1 sigma, where it was learned.
    package var headingError: Angle
    /// 0...1
    package var coverage: Double
    package var samples: Int

    package init(
        calibration: MagneticCalibration, quality: Quality, shape: Shape, strength: FluxDensity,
        headingError: Angle, coverage: Double, samples: Int
    ) {
        self.calibration = calibration
        self.quality = quality
        self.shape = shape
        self.strength = strength
        self.headingError = headingError
        self.coverage = coverage
        self.samples = samples
    }
}

extension MagneticRecord {
    /// `nil` for a fit that is insufficient.
    package init?(_ fit: CalibrationFit) {
        switch fit.verdict {
        case .good: quality = .good
        case .usable: quality = .usable
        case .insufficient: return nil
        }
        switch fit.shape {
        case .ellipsoid: shape = .ellipsoid
        case .sphere: shape = .sphere
        case .levelTurn: shape = .levelTurn
        }
        calibration = fit.calibration
        strength = fit.strength
        headingError = fit.headingError
        coverage = fit.coverage
        samples = fit.samples
    }
}

/// How the sensors lie in a vessel at rest: what they show as roll and pitch while she is level.
package struct LevelTilt: Hashable, Sendable {
    package var roll: Angle
    package var pitch: Angle

    package init(roll: Angle, pitch: Angle) {
        self.roll = roll
        self.pitch = pitch
    }
}

/// How the sensor's forward axis lies to the keel.
package struct Alignment: Hashable, Sendable {
    /// Added to the heading.
    package var offset: Angle
    /// 1 sigma.
    package var uncertainty: Angle

    package init(offset: Angle, uncertainty: Angle) {
        self.offset = offset
        self.uncertainty = uncertainty
    }
}
