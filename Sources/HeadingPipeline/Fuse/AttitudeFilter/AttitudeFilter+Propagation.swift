import Glibc

extension AttitudeFilter {
    /// Beyond it nobody knows how the body turned meanwhile.
    static let longestGap = 0.5
    private static let levelMemory = 0.5
    private static let turningMemory = 2.0
    private static let speedIsKnownFor = Interval.seconds(3)

    /// `reading`: the gyroscope's, rad/s, body frame.
    package mutating func update(rotation reading: Vector3, at now: Instant) {
        if let known = motionAhead, now - known.at >= Self.speedIsKnownFor { motionAhead = nil }
        let rate = reading - bias
        guard let last = gyroscope.at else {
            gyroscope.at = now
            gyroscope.rate = rate
            return
        }
        guard now > last else { return }
        let step = (now - last).seconds
        guard step < Self.longestGap else { return restart() }
        gyroscope.level += (rate.length - gyroscope.level) * min(1, step / Self.levelMemory)
        if isStarted {
            let turning = rate.dot(orientation.down)
            gyroscope.turning += (turning - gyroscope.turning) * min(1, step / Self.turningMemory)
        }
        switch sampling {
        case .point:
            doubtChange(to: rate, step)
            advance(by: (gyroscope.rate + rate) * (step / 2), step)
        case .blockMean: advanceBlock(rate * step, step)
        }
        gyroscope.at = now
        gyroscope.rate = rate
    }

    /// Between two points the rate may have gone otherwise than straight: a turn that begins somewhere between them is off by up
    /// to half a step of it. What the change of rate was just before is as likely to go on, and is no doubt.
    private mutating func doubtChange(to rate: Vector3, _ step: Double) {
        let change = rate - gyroscope.rate
        let bend = (change - gyroscope.change) * step
        gyroscope.change = change
        guard isStarted else { return }
        let axis = orientation.matrix * bend
        covariance.attitude = covariance.attitude + Matrix3(outer: axis, axis) * (1.0 / 12)
    }

    /// The trapezoid, with the coning of two steps in a row.
    private mutating func advance(by turn: Vector3, _ step: Double) {
        let coning = gyroscope.turn.cross(turn) * (1.0 / 12)
        propagate(turn + coning, step)
        gyroscope.turn = turn
        gyroscope.lead = .zero
    }

    /// The kept orientation stands at the block's end; the reading's moment is half a block before. A rate that
    /// changes evenly turns the body by half of the block's angle less an eighth of its growth until then.
    private mutating func advanceBlock(_ turn: Vector3, _ step: Double) {
        let coning = gyroscope.turn.cross(turn) * (1.0 / 12)
        let growth = turn - gyroscope.turn
        propagate(turn + coning, step)
        gyroscope.lead = -(turn * 0.5 + growth * 0.125)
        gyroscope.turn = turn
    }

    private mutating func propagate(_ turn: Vector3, _ step: Double) {
        if let turned = alignment?.turned {
            alignment?.turned = (turned * Quaternion(rotationVector: turn)).normalized
        }
        guard isStarted else { return }
        field.turned += turn
        let middle = orientation * Quaternion(rotationVector: turn * 0.5)
        orientation = (orientation * Quaternion(rotationVector: turn)).normalized
        propagateCovariance(middle.matrix, turn, step)
    }

    private mutating func propagateCovariance(_ intoEarthFrame: Matrix3, _ turn: Vector3, _ step: Double) {
        let a = intoEarthFrame * -step
        let calm = decay(step)
        let iron = exp(-step / field.hardIronMemory)
        disturbance = disturbance * calm
        covariance.advance(attitudeByBias: a, disturbanceDecay: calm, hardIronDecay: iron)
        let scale = noise.scale * turn.length / step
        let attitudeGrowth = noise.rate * noise.rate + 2 * scale * scale * noise.scaleMemory
        covariance.attitude = covariance.attitude + .isotropic(attitudeGrowth * step)
        covariance.bias = covariance.bias + .isotropic(noise.biasWalk * noise.biasWalk * step)
        covariance.disturbance =
            covariance.disturbance + .isotropic((1 - calm * calm) * field.variance)
        covariance.hardIron =
            covariance.hardIron + .isotropic((1 - iron * iron) * field.hardIronVariance)
    }

    /// The share of a disturbance that is still there: its memory is the shorter the more the body moves.
    private func decay(_ step: Double) -> Double {
        let rest = noise.disturbanceMemory / noise.disturbanceMemoryAtRest
        return exp(-step / noise.disturbanceMemory * max(rest, motion))
    }

    /// From 0, at rest, to 1.
    var motion: Double {
        let turning = max(0, gyroscope.level - noise.restTurning) / noise.fullTurning
        let shaking = max(0, force.power.squareRoot() - noise.restShaking) / noise.fullShaking
        let way = (motionAhead?.speed ?? 0) / noise.fullSpeed
        return min(1, (turning * turning + shaking * shaking + way * way).squareRoot())
    }

    /// The body's frame at `now`, turned into the earth frame.
    func orientation(at now: Instant) -> Quaternion {
        orientation * Quaternion(rotationVector: turnSinceKept(at: now))
    }

    /// From the orientation that is kept to the one at `now`, radians, body frame.
    func turnSinceKept(at now: Instant) -> Vector3 {
        guard let last = gyroscope.at else { return .zero }
        let ahead = max(-Self.longestGap, min(Self.longestGap, (now - last).seconds))
        return gyroscope.lead + gyroscope.rate * ahead
    }

    /// After a gap in which the body may have turned anyhow.
    mutating func restart() {
        let bias = bias
        forget()
        self.bias = bias
    }

    mutating func suspectGyroscope(_ isSuspect: Bool, isRepeating: Bool) {
        gyroscope.isSuspect = isSuspect || isRepeating
        if isRepeating { field.dispute.forgetAgreement() }
    }

    /// What was learnt of the gyroscope's bias may have been learnt from lies.
    mutating func doubtBias() {
        covariance.bias = covariance.bias + .isotropic(noise.bias * noise.bias)
    }

    /// The gyroscope's bias too: what was learnt of it was learnt from lies.
    mutating func forget() {
        var fresh = AttitudeFilter()
        fresh.noise = noise
        fresh.sampling = sampling
        self = fresh
    }
}

extension FilterCovariance {
    /// F P Fᵀ for the attitude's error growing with the bias and two that fade.
    mutating func advance(attitudeByBias a: Matrix3, disturbanceDecay: Double, hardIronDecay: Double) {
        let newBias = attitudeBias + a * bias
        attitude =
            (attitude + a.timesTransposed(attitudeBias) + newBias.timesTransposed(a)).symmetric
        attitudeBias = newBias
        attitudeDisturbance = (attitudeDisturbance + a * biasDisturbance) * disturbanceDecay
        attitudeHardIron = (attitudeHardIron + a * biasHardIron) * hardIronDecay
        biasDisturbance = biasDisturbance * disturbanceDecay
        biasHardIron = biasHardIron * hardIronDecay
        disturbance = disturbance * (disturbanceDecay * disturbanceDecay)
        disturbanceHardIron = disturbanceHardIron * (disturbanceDecay * hardIronDecay)
        hardIron = hardIron * (hardIronDecay * hardIronDecay)
    }
}
