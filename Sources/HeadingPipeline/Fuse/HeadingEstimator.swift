/// From field, specific force and rotation in the body frame to the magnetic heading with its accuracy.
package struct HeadingEstimator: Hashable, Sendable {
    private var settings: Settings.Heading
    private var gravity = GravityFilter()
    private var fieldFilter = VectorFilter(timeConstant: GravityFilter.timeConstant)
    private var filter: HeadingFilter
    private var watch = FieldWatch()
    private var axes = AxesWatch()
    private var turn = RateOfTurn()
    private var rotation: Vector3?
    private var isRepeating = false
    private var trust = GyroscopeTrust()
    /// Runs while there are a gyroscope and an accelerometer; its heading is used while the gyroscope is believed.
    private var attitudeFilter = AttitudeFilter()
    private var filteredVertical: Vertical?
    /// Over ground; `nil` while it is unknown.
    private var way: Speed?
    private var usualDip: Angle?
    private var dipAt: Instant?

    package init(settings: Settings.Heading) {
        self.settings = settings
        filter = HeadingFilter(timeConstant: settings.smoothing)
    }

    /// Goes on with other settings.
    package mutating func adopt(_ new: Settings.Heading) {
        filter.timeConstant = new.smoothing
        if new.offset != settings.offset {
            // Another zero is no turn.
            filter.reset()
            if rotation == nil { turn.reset() }
        }
        settings = new
    }

    /// How the gyroscope's readings stand for time.
    package mutating func openGyroscope(sampling: Sampling) {
        attitudeFilter.sampling = sampling
        attitudeFilter.restart()
        trust = GyroscopeTrust()
    }

    /// `force` is the specific force in the body frame, m/s².
    package mutating func update(specificForce force: Vector3, at now: Instant) {
        gravity.update(force, at: now)
        guard rotation != nil else { return }
        attitudeFilter.update(
            specificForce: force / Vertical.gravity, down: gravity.vertical?.down, at: now)
        filteredVertical = isAided ? attitudeFilter.vertical(at: now) : nil
    }

    /// `rotation` in the body frame, rad/s; `isRepeating`: it has been the very same for a while.
    package mutating func update(rotation: Vector3, isRepeating: Bool = false, at now: Instant) {
        self.rotation = rotation
        if self.isRepeating, !isRepeating { attitudeFilter.doubtBias() }
        self.isRepeating = isRepeating
        attitudeFilter.suspectGyroscope(trust.isSuspect(at: now), isRepeating: isRepeating)
        attitudeFilter.update(rotation: rotation, at: now)
        axes.update(rotation: rotation - attitudeFilter.bias, at: now)
        guard gyroscopeFault == nil else { return }
        guard attitudeFilter.isStarted else {
            filteredVertical = nil
            turn.update(rotation: rotation, down: vertical.down, at: now)
            return
        }
        let down = attitudeFilter.vertical(at: now).down
        turn.update(
            rotation: rotation - attitudeFilter.bias, down: down,
            offset: attitudeFilter.biasUncertainty(along: down), at: now)
    }

    /// Over ground; `nil` while it is unknown.
    package mutating func update(speed: Speed?, at now: Instant) {
        attitudeFilter.update(speed: speed, at: now)
        way = speed
    }

    /// `field` in the body frame, microtesla, calibrated as well as is known; `residual` what the calibration
    /// leaves over, `nil` without one. Throws where a heading has no meaning.
    package mutating func update(
        fieldMicrotesla field: Vector3, residual: FluxDensity?, expected: ReferenceField?, at now: Instant
    ) throws(Rejection) -> HeadingEstimate {
        if rotation != nil {
            attitudeFilter.update(fieldMicrotesla: field, isCalibrated: residual != nil, at: now)
            if residual != nil { judgeGyroscope(at: now) }
            // A hard iron that is not taken out does not turn with the field.
            if residual != nil { axes.update(fieldMicrotesla: field, at: now) }
        }
        let isAided = isAided
        let vertical = isAided ? attitudeFilter.vertical(at: now) : vertical
        let smooth = fieldFilter.update(field, at: now)
        // Field and vertical must be of one moment: what smooths the one smooths the other.
        let compensated = try TiltCompensation(
            fieldMicrotesla: isAided || !hasVertical ? field : smooth, down: vertical.down)
        followDip(compensated.inclination, vertical, at: now)
        let estimate = follow(field, compensated, vertical, expected, at: now)
        var accuracy =
            isAided
            ? aided(compensated, vertical, expected, at: now)
            : unaided(compensated, vertical, expected, at: now)
        accuracy.parts.isCalibrated = residual != nil
        accuracy.parts.calibration = error(of: residual ?? .zero, over: compensated.horizontalField)
        accuracy.parts.interference = interference(residual ?? .zero, compensated, expected)
        accuracy.parts.alignment = settings.alignmentUncertainty / compensated.bowProjection
        return HeadingEstimate(
            magnetic: accuracy.heading, accuracy: accuracy.parts,
            field: residual == nil ? estimate.undisturbed : estimate)
    }

    /// What the field is like, whatever the heading.
    private mutating func follow(
        _ field: Vector3, _ compensated: TiltCompensation, _ vertical: Vertical, _ expected: ReferenceField?,
        at now: Instant
    ) -> FieldEstimate {
        let strength = FluxDensity.microtesla(field.length)
        // The field's own heading shows what disturbs it as a turn.
        let heading = isAided ? attitudeFilter.outcome(at: now).heading : compensated.heading
        let inclination = hasVertical ? compensated.inclination : nil
        watch.update(
            strength: strength, inclination: inclination, tiltUncertainty: vertical.uncertainty,
            heading: heading, expected: expected, at: now)
        return FieldEstimate(
            strength: strength, inclination: inclination,
            isDisturbed: watch.isDisturbed || isAided && attitudeFilter.isDisturbed,
            scaleSuspicion: watch.scaleSuspicion, fault: fault)
    }

    /// How an accelerometer lies beside its magnetometer, 1 sigma: what no averaging takes away.
    private static let chipTilt = Angle.degrees(0.3)

    private var fault: FieldEstimate.Fault? {
        if watch.isInverted { return .inverted }
        return axes.isSuspect ? .wrongAxes : nil
    }

    /// The dip of the place as far as it is measured, in a minute's mean: while the vertical is off, so is the dip.
    private mutating func followDip(_ measured: Angle, _ vertical: Vertical, at now: Instant) {
        defer { dipAt = now }
        guard let usual = usualDip, let last = dipAt else {
            usualDip = measured
            return
        }
        let doubt = vertical.uncertainty.degrees
        let share = min(1, (now - last).seconds / 60) / (1 + doubt * doubt)
        usualDip = usual + (measured - usual) * max(0, share)
    }

    private typealias Heading = (heading: Angle, parts: HeadingAccuracy)

    /// From the attitude filter, whose covariance holds noise, tilt and disturbance together.
    private mutating func aided(
        _ compensated: TiltCompensation, _ vertical: Vertical, _ expected: ReferenceField?, at now: Instant
    ) -> Heading {
        let outcome = attitudeFilter.outcome(at: now)
        let heading = (outcome.heading + settings.offset).foldedPositive
        filter.reset()
        var accuracy = HeadingAccuracy()
        accuracy.noise = outcome.uncertainty
        let mounted = Vertical(down: vertical.down, uncertainty: Self.chipTilt)
        accuracy.tilt = tiltError(mounted, compensated, expected)
        return (heading, accuracy)
    }

    /// From field and vertical alone.
    private mutating func unaided(
        _ compensated: TiltCompensation, _ vertical: Vertical, _ expected: ReferenceField?, at now: Instant
    ) -> Heading {
        let heading = filtered(compensated.heading, at: now)
        var accuracy = HeadingAccuracy()
        accuracy.noise = filter.uncertainty.combined(with: trust.remainingDoubt(at: now))
        let leaning = Vertical(down: vertical.down, uncertainty: vertical.uncertainty.combined(with: lean))
        accuracy.tilt = tiltError(leaning, compensated, expected)
        return (heading, accuracy)
    }

    /// By which the accelerometer sees the vertical off while the vessel's way is turned.
    private var lean: Angle {
        guard let way, let rate = turn.estimate?.rate else { return .zero }
        return .arcTangent(rise: (way.metersPerSecond * rate.si).magnitude, run: Vertical.gravity)
    }

    /// A heading that the device has compensated itself.
    package mutating func update(compass heading: Angle, at now: Instant) -> HeadingEstimate {
        let filtered = filtered(heading, at: now)
        var accuracy = HeadingAccuracy()
        accuracy.noise = filter.uncertainty
        accuracy.calibration = Self.deviceCompassUncertainty
        accuracy.alignment = settings.alignmentUncertainty
        return HeadingEstimate(magnetic: filtered, accuracy: accuracy, field: nil)
    }

    /// What an electronic compass that calibrates itself states of its heading (±5° in the data sheets), 1 sigma.
    package static let deviceCompassUncertainty = Angle.degrees(5)

    package mutating func loseAccelerometer() {
        gravity.reset()
        restartFilter()
    }

    package mutating func loseGyroscope() {
        // One that is not believed is not there already, and goes on to be watched.
        guard gyroscopeFault == nil else { return }
        rotation = nil
        turn.reset()
        axes.reset()
        restartFilter()
    }

    package mutating func loseMagnetometer() {
        filter.reset()
        fieldFilter.reset()
        axes.reset()
        usualDip = nil
        watch.reset()
        restartFilter()
        if rotation == nil { turn.reset() }
    }

    private var isAided: Bool { rotation != nil && gyroscopeFault == nil && attitudeFilter.isStarted }

    /// Field and gyroscope contradict each other, or have done so in a way that leaves open which of them is right.
    package var isContradicted: Bool { rotation != nil && trust.isUnresolved(bias: attitudeFilter.bias) }

    private mutating func judgeGyroscope(at now: Instant) {
        if attitudeFilter.isStarted { trust.follow(bias: attitudeFilter.bias) }
        if trust.judge(
            attitudeFilter.dispute, isLost: attitudeFilter.isLost, isRepeating: isRepeating, at: now)
        {
            attitudeFilter.forget()
            filteredVertical = nil
            turn.reset()
        } else if trust.review(attitudeFilter.dispute) {
            turn.reset()
        }
    }

    private mutating func restartFilter() {
        attitudeFilter.restart()
        filteredVertical = nil
    }

    package var hasVertical: Bool { gravity.vertical != nil }

    /// Roll and pitch; `nil` without an accelerometer.
    package var attitude: Vertical? { filteredVertical ?? gravity.vertical }

    package var rateOfTurn: RateOfTurn.Estimate? { turn.estimate }

    /// Why the gyroscope is not believed; `nil`: it is.
    package var gyroscopeFault: GyroscopeTrust.Fault? { trust.fault }

    /// How the body turns, rad/s, body frame; `nil` without a gyroscope that is believed.
    package var bodyRotation: Vector3? {
        gyroscopeFault == nil ? rotation.map { $0 - attitudeFilter.bias } : nil
    }

    private var vertical: Vertical { gravity.vertical ?? .assumedLevel(tilt: settings.assumedTilt) }

    private mutating func filtered(_ heading: Angle, at now: Instant) -> Angle {
        let filtered = filter.update(heading + settings.offset, at: now)
        turn.update(heading: filtered, at: now)
        return filtered
    }

    private func error(of field: FluxDensity, over horizontal: FluxDensity) -> Angle {
        Angle.arcTangent(rise: field.si, run: horizontal.si)
    }

    /// A further field turns the heading the more the weaker the horizontal field is; one that is as large by any angle.
    private func interference(
        _ residual: FluxDensity, _ compensated: TiltCompensation, _ expected: ReferenceField?
    ) -> Angle {
        let measured = compensated.horizontalField
        let horizontal = expected.map { min(measured, $0.strength * $0.inclination.cosine) } ?? measured
        let further = watch.unexplained(residual: residual)
        return further < horizontal ? error(of: further, over: horizontal) : .halfTurn
    }

    /// A vertical that is off by u turns the heading by u · tan(dip), and, the bow raised by the pitch p, by
    /// u · tan(p) more.
    private func tiltError(
        _ vertical: Vertical, _ compensated: TiltCompensation, _ expected: ReferenceField?
    ) -> Angle {
        let dip = expected?.inclination ?? usualDip ?? compensated.inclination
        let steepest = Angle.degrees(89)
        let byDip = vertical.uncertainty * min(dip.magnitude, steepest).tangent
        let byPitch = vertical.uncertainty * min(vertical.pitch.magnitude, steepest).tangent
        return min(.halfTurn, byDip.combined(with: byPitch))
    }
}

/// One magnetic heading with all that tells how far to trust it.
package struct HeadingEstimate: Hashable, Sendable {
    /// [0°, 360°).
    package var magnetic: Angle
    package var accuracy: HeadingAccuracy
    /// `nil` from a device that gives only a heading.
    package var field: FieldEstimate?
    /// The offset that was taken out is what turning has shown, and no calibration.
    package var isProvisional = false
}

/// What the magnetometer says of the field as such.
package struct FieldEstimate: Hashable, Sendable {
    package var strength: FluxDensity
    /// `nil` without an accelerometer.
    package var inclination: Angle?
    /// Iron or a magnet is near.
    package var isDisturbed: Bool
    /// Measured over expected strength where only a wrong scale explains it.
    package var scaleSuspicion: Double?
    /// The sensor cannot be right.
    package var fault: Fault?

    package enum Fault: Hashable, Sendable {
        /// The field comes out of the ground where it should go in, or the other way round.
        case inverted
        /// The field turns otherwise than the gyroscope says that the body turns.
        case wrongAxes
    }
}

extension FieldEstimate {
    /// Without a calibration nothing tells iron nearby from iron on board.
    fileprivate var undisturbed: FieldEstimate {
        var copy = self
        copy.isDisturbed = false
        return copy
    }
}
