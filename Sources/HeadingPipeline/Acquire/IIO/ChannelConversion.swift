/// Turns one raw count of one axis into the unit of the pipeline: `(raw + offset) * factor`.
package struct AxisConversion: Hashable, Sendable {
    package var offset: Double
    /// Microtesla, m/s² or rad/s a count; degrees a count for a heading.
    package var factor: Double
    /// A count at or beyond one of these ends says that the true value lies outside.
    package var limits: ClosedRange<Int64>?

    package init(offset: Double = 0, factor: Double, limits: ClosedRange<Int64>? = nil) {
        self.offset = offset
        self.factor = factor
        self.limits = limits
    }

    package func value(_ raw: Int64) -> Double { (Double(raw) + offset) * factor }
    package func isSaturated(_ raw: Int64) -> Bool {
        guard let limits else { return false }
        return raw <= limits.lowerBound || raw >= limits.upperBound
    }
}

/// The raw counts of one channel at one moment: x, y and z in the chip's frame, or a heading in `x` alone.
package struct RawCounts: Hashable, Sendable {
    package var x: Int64
    package var y: Int64
    package var z: Int64

    package init(_ x: Int64 = 0, _ y: Int64 = 0, _ z: Int64 = 0) {
        self.x = x
        self.y = y
        self.z = z
    }

    package subscript(input: Int) -> Int64 {
        get { input == 0 ? x : input == 1 ? y : z }
        set {
            switch input {
            case 0: x = newValue
            case 1: y = newValue
            default: z = newValue
            }
        }
    }
}

/// Turns the raw counts of a channel into what the pipeline takes.
package enum ChannelConversion: Hashable, Sendable {
    case vector(Source, x: AxisConversion, y: AxisConversion, z: AxisConversion)
    case heading(AxisConversion)

    package func reading(_ raw: RawCounts) -> Reading.Content {
        switch self {
        case .vector(let source, let x, let y, let z):
            return .sample(
                SensorSample(
                    source: source, vector: Vector3(x.value(raw.x), y.value(raw.y), z.value(raw.z)),
                    isSaturated: x.isSaturated(raw.x) || y.isSaturated(raw.y) || z.isSaturated(raw.z)))
        case .heading(let axis):
            return .compass(CompassHeading(magnetic: Angle.degrees(axis.value(raw.x)).foldedPositive))
        }
    }
}
