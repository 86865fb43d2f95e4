// What is said of a heading and of the field.
extension Pipeline {
    func measurement(_ sensor: HeadingEstimate, at now: Instant) -> HeadingMeasurement {
        var estimate = sensor
        estimate.magnetic = calibrations.magneticHeading(sensor.magnetic)
        estimate.accuracy.alignment = sensor.accuracy.alignment.combined(
            with: calibrations.headingUncertainty)
        return HeadingMeasurement(
            time: wallClock.time(at: now), magnetic: estimate.magnetic,
            magneticAccuracy: estimate.accuracy.interval95, quality: quality(of: estimate),
            trueNorth: reference.field.map { trueHeading(estimate, $0) },
            prefersTrue: settings.heading.reference == .trueNorth)
    }

    func trueHeading(
        _ estimate: HeadingEstimate, _ local: LocalField
    ) -> HeadingMeasurement.TrueHeading {
        var accuracy = estimate.accuracy
        accuracy.declination = local.declinationUncertainty
        return HeadingMeasurement.TrueHeading(
            heading: (estimate.magnetic + local.declination).foldedPositive,
            accuracy: accuracy.interval95, declination: local.declination)
    }

    func quality(of estimate: HeadingEstimate) -> HeadingQuality {
        if magneticGate.isSaturated || estimate.field?.scaleSuspicion != nil { return .bad }
        if estimate.field?.fault != nil { return .bad }
        let quality = HeadingQuality(estimate)
        // It may be the field that is wrong.
        return quality == .good && estimator.isContradicted ? .degraded : quality
    }

    func fieldMeasurement(
        _ field: FieldEstimate, _ expected: ReferenceField?, at now: Instant
    ) -> FieldMeasurement {
        FieldMeasurement(
            time: wallClock.time(at: now), strength: field.strength,
            accuracy: calibration.map { $0.residual * 1.96 }, inclination: field.inclination,
            expected: expected, isDisturbed: field.isDisturbed, scaleSuspicion: field.scaleSuspicion)
    }

    func rateMeasurement(at now: Instant) -> RateMeasurement? {
        estimator.rateOfTurn.map {
            RateMeasurement(time: wallClock.time(at: now), rate: $0.rate, accuracy: $0.uncertainty * 1.96)
        }
    }

    func declinationMeasurement(at now: Instant) -> DeclinationMeasurement? {
        reference.field.map {
            DeclinationMeasurement(
                time: wallClock.time(at: now), declination: $0.declination,
                accuracy: $0.declinationUncertainty * 1.96, source: $0.source, isExpired: $0.isExpired)
        }
    }
}

extension ReferenceField {
    init(_ expected: ExpectedField) {
        self.init(strength: expected.total, inclination: expected.inclination)
    }
}
