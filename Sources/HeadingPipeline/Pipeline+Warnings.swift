// What the operator should look at.
extension Pipeline {
    /// What needs the operator's eye.
    package var warnings: [Diagnostics.Warning] {
        var warnings: [Diagnostics.Warning] = []
        if sources.magnetometer.isOnline, calibration == nil, lastField != nil {
            warnings.append(.uncalibrated(offsetKnownTo: provisional.calibration?.residual))
        }
        if let fault = calibrations.fault { warnings.append(.calibrationUnreadable(fault)) }
        if let drift = calibrationWatch.suspicion { warnings.append(.calibrationSuspect(drift)) }
        if lastField?.isDisturbed == true { warnings.append(.interference) }
        if let ratio = lastField?.scaleSuspicion { warnings.append(.scaleSuspect(ratio)) }
        switch lastField?.fault {
        case .inverted: warnings.append(.polaritySuspect)
        case .wrongAxes: warnings.append(.axesSuspect)
        case nil: break
        }
        if magneticGate.isSaturated { warnings.append(.saturated) }
        if magneticGate.isFrozen { warnings.append(.frozen) }
        if accelerationGate.isFrozen { warnings.append(.accelerometerFrozen) }
        if estimator.gyroscopeFault == .frozen { warnings.append(.gyroscopeFrozen) }
        if estimator.isContradicted { warnings.append(.gyroscopeContradicted) }
        if magneticGate.isZero { warnings.append(.zeroField) }
        if reference.field?.isExpired == true { warnings.append(.modelExpired) }
        let epochs = reference.receiverEpochsAdded
        if epochs != 0 { warnings.append(.receiverWeekRollover(epochs: epochs)) }
        return warnings
    }
}
