/// What the filter believes of sensors, vessel and field before it has seen them: one set for all.
package struct FilterNoise: Hashable, Sendable {
    // The gyroscope.
    /// White noise, rad/s/√Hz.
    var rate = 0.02 * degree
    /// Random walk of the bias, rad/s/√s.
    var biasWalk = 0.002 * degree
    /// Before anything is known, rad/s.
    var bias = 0.5 * degree
    /// Scale and misalignment, a share of the rate that stays the same for `scaleMemory` seconds.
    var scale = 0.005
    var scaleMemory = 0.1

    // The accelerometer, in g.
    var force = 0.005
    /// Seconds for which an acceleration is remembered.
    var accelerationMemory = 0.5
    var accelerationCorrelation = 2.0
    /// Doubt about when a sample was taken, seconds.
    var timing = 0.015
    /// The tilt of a resting accelerometer on its board, radians: what no averaging takes away.
    var tiltAtStart = 1.0 * degree

    // The magnetometer, in µT.
    var field = 0.775
    /// Seconds between samples with independent noise.
    var sampleSpacing = 0.035
    /// The field differs by so much from place to place ...
    var disturbance = 1.2
    /// ... and is another after so many seconds of moving, or of lying still.
    var disturbanceMemory = 4.0
    var disturbanceMemoryAtRest = 10000.0
    var restTurning = 0.3 * degree
    var restShaking = 0.025
    var fullTurning = 10 * degree
    var fullShaking = 0.05
    /// Over ground, m/s.
    var fullSpeed = 2.0
    /// Against a gyroscope that has lied before the field is believed to this share of it.
    var suspicion = 0.5
    /// A larger one that was met is expected again for so long.
    var largeDisturbanceMemory = 5.0
    /// After a good calibration.
    var hardIron = 0.1
    var hardIronMemory = 600.0
    /// Without one; it stays what it is, or a gyroscope's bias could pass for its wandering.
    var hardIronUncalibrated = 15.0
    var hardIronMemoryUncalibrated = 1e6
    /// The reference follows within so many seconds of moving.
    var referenceMemory = 20.0

    // The gate.
    /// The 99.9 % point of χ² with three degrees of freedom.
    var gate = 16.27
    /// After so many seconds outside it is a new normal.
    var patience = 0.3

    package init() {}
    private static let degree = Double.pi / 180
}
