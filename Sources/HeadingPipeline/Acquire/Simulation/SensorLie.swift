/// A sensor that says something else than is true for a while, as broken wires, hung chips and wrong drivers make them.
package struct SensorLie: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// 0 on all axes.
        case zero
        /// What was true when it began.
        case held
        /// In the sensor's own unit and frame.
        case offset(Vector3)
        /// Mirrored, exchanged or wrongly scaled axes.
        case turned(Matrix3)
    }

    package var source: Source
    package var kind: Kind
    /// Seconds since the start.
    package var start: Double
    package var duration: Double

    package init(_ source: Source, _ kind: Kind, start: Double = 0, duration: Double = .infinity) {
        self.source = source
        self.kind = kind
        self.start = start
        self.duration = duration
    }

    func isTold(by source: Source, at seconds: Double) -> Bool {
        source == self.source && seconds >= start && seconds < start + duration
    }
}
