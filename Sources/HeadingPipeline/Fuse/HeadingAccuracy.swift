/// What a heading may be off, in independent parts, each 1 sigma.
package struct HeadingAccuracy: Hashable, Sendable {
    package var noise = Angle.zero
    package var calibration = Angle.zero
    package var tilt = Angle.zero
    package var interference = Angle.zero
    package var alignment = Angle.zero
    package var declination = Angle.zero
    package var isCalibrated = true

    package init() {}

    /// A hard iron nearly as strong as the horizontal field turns a heading by up to 90°, and nothing inside
    /// notices: until a calibration tells, this is the least that is honest.
    package static let leastUncalibrated = Angle.degrees(60)

    /// Half-width of the 95 % interval, at most 180°.
    package var interval95: Angle {
        let sigma = noise.combined(with: calibration).combined(with: tilt)
            .combined(with: interference).combined(with: alignment).combined(with: declination)
        return min(.halfTurn, max(isCalibrated ? .zero : Self.leastUncalibrated, sigma * 1.96))
    }
}

/// The operator's short word for how far a heading can be trusted.
package enum HeadingQuality: String, Sendable {
    case good, degraded, bad, uncalibrated

    /// A calibrated heading is good while it is within this of the truth in 95 of 100 cases...
    package static let goodWithin = Angle.degrees(10)
    /// ...and degraded within this.
    package static let degradedWithin = Angle.degrees(30)
}

extension HeadingQuality {
    /// What the estimate itself says; a sensor that cannot be right makes it bad whatever this says.
    package init(_ estimate: HeadingEstimate) {
        guard estimate.accuracy.isCalibrated, !estimate.isProvisional else {
            self = .uncalibrated
            return
        }
        let interval = estimate.accuracy.interval95
        if interval > Self.degradedWithin {
            self = .bad
        } else {
            // A gyroscope can carry a heading past iron, as long as its accuracy says so.
            self = interval > Self.goodWithin || estimate.field?.isDisturbed == true ? .degraded : .good
        }
    }
}
