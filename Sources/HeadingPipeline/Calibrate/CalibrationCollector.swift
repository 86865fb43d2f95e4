/// Gathers raw field vectors for a fit while the sensor is turned: of those from one pose only a few, and a bounded
/// number in all.
package struct CalibrationCollector: Sendable {
    package private(set) var samples: [CalibrationSample] = []
    private var keepEvery = 1
    private var offered = 0
    private let capacity: Int

    /// Microtesla that the field must have moved since the last sample kept: a degree or two.
    private static let step = 1.0

    package init(capacity: Int = 4000) { self.capacity = capacity }

    package mutating func take(_ sample: CalibrationSample) {
        guard sample.fieldMicrotesla.isFinite, hasMoved(sample) else { return }
        offered += 1
        guard offered % keepEvery == 0 else { return }
        samples.append(sample)
        if samples.count >= capacity { thin() }
    }

    private func hasMoved(_ sample: CalibrationSample) -> Bool {
        guard let last = samples.last else { return true }
        return (sample.fieldMicrotesla - last.fieldMicrotesla).length >= Self.step
    }

    private mutating func thin() {
        samples = samples.indices.filter { $0 % 2 == 0 }.map { samples[$0] }
        keepEvery *= 2
    }
}
