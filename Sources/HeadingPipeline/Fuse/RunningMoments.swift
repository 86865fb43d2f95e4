import Glibc

/// Mean and variance of a signal over an exponential memory.
struct RunningMoments: Hashable, Sendable {
    private let memory: Interval
    private(set) var mean = 0.0
    private(set) var variance = 0.0
    private var isEmpty = true

    init(memory: Interval) { self.memory = memory }

    mutating func add(_ value: Double, after elapsed: Interval) {
        guard !isEmpty else {
            mean = value
            isEmpty = false
            return
        }
        let gain = 1 - exp(-elapsed.seconds / memory.seconds)
        let difference = value - mean
        mean += gain * difference
        variance = (1 - gain) * (variance + gain * difference * difference)
    }
}
