extension ValueFormat<Double> {
    static func number(_ range: ClosedRange<Double>, _ unit: String) -> Self {
        let limits = PlainDecimal.text(range.lowerBound) + " to " + PlainDecimal.text(range.upperBound)
        return ValueFormat(
            limits + " " + unit,
            read: { (text) throws(ValueFault) in
                let value = try PlainDecimal.number(text)
                guard range.contains(value) else { throw ValueFault("is out of range") }
                return value
            },
            write: PlainDecimal.text)
    }
}

extension ValueFormat<Int> {
    static func integer(_ range: ClosedRange<Int>, _ unit: String? = nil) -> Self {
        ValueFormat(
            "\(range.lowerBound) to \(range.upperBound)" + (unit.map { " " + $0 } ?? ""),
            read: { (text) throws(ValueFault) in
                let value = try PlainDecimal.wholeNumber(text)
                guard range.contains(value) else { throw ValueFault("is out of range") }
                return value
            },
            write: { String($0) })
    }

    static let port = integer(1...65_535)

    /// In bytes.
    static func megabytes(_ range: ClosedRange<Int>) -> Self {
        integer(range, "megabytes, whole").mapped({ $0 * 1_000_000 }, back: { $0 / 1_000_000 })
    }
}

extension ValueFormat<Interval> {
    static let smoothing = seconds(0...60)
    static func seconds(_ range: ClosedRange<Double>) -> Self {
        ValueFormat<Double>.number(range, "seconds").mapped(Interval.seconds, back: { $0.seconds })
    }
    static func wholeSeconds(_ range: ClosedRange<Int>) -> Self {
        ValueFormat<Int>.integer(range, "seconds, whole")
            .mapped({ .seconds(Double($0)) }, back: { Int($0.seconds.rounded()) })
    }
}

extension ValueFormat<Angle> {
    static let headingOffset = degrees(-180...180)
    static let courseToSteer = degrees(0...359.9)

    static func degrees(_ range: ClosedRange<Double>, _ remark: String = "") -> Self {
        ValueFormat<Double>.number(range, "degrees" + remark).mapped(Angle.degrees, back: { $0.degrees })
    }
}

extension ValueFormat<Angle?> {
    /// `nil`: from the magnetic model.
    static let declination = ValueFormat<Angle>.degrees(-180...180, " (east positive)").orWord("auto")
}

extension ValueFormat<Speed> {
    static func metersPerSecond(_ range: ClosedRange<Double>) -> Self {
        ValueFormat<Double>.number(range, "metres a second")
            .mapped(Speed.metersPerSecond, back: { $0.metersPerSecond })
    }
}

extension ValueFormat<Length> {
    static func meters(_ range: ClosedRange<Double>) -> Self {
        ValueFormat<Double>.number(range, "metres").mapped(Length.meters, back: { $0.meters })
    }
}

extension ValueFormat<FluxDensity> {
    static func microtesla(_ range: ClosedRange<Double>) -> Self {
        ValueFormat<Double>.number(range, "microtesla").mapped(
            FluxDensity.microtesla, back: { $0.microtesla })
    }
}
