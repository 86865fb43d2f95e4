import Glibc

/// Attitude with respect to magnetic north and the vertical, from gyroscope, accelerometer and magnetometer: an
/// error-state Kalman filter on the quaternion (Sola 2017), with the error as a turn of the earth frame.
///
/// The earth frame is (magnetic north, magnetic east, down), the body frame (forward, starboard, down). Besides
/// the attitude it estimates the gyroscope's bias, the field's local disturbance d (earth frame) and the hard iron
/// h that a calibration left over (body frame). The magnetometer never turns the vertical (Laidig and Seel 2023).
package struct AttitudeFilter: Hashable, Sendable {
    var noise = FilterNoise()
    /// How a reading of the gyroscope stands for time.
    package var sampling = Sampling.point

    /// The body's frame at the gyroscope's last reading, turned into the earth frame.
    var orientation = Quaternion.identity
    package internal(set) var bias = Vector3.zero
    var disturbance = Vector3.zero
    var hardIron = Vector3.zero
    var covariance = FilterCovariance()

    var gyroscope = GyroscopeTrack()
    var force = ForceTrack()
    var motionAhead: KnownSpeed?
    var field = FieldTrack()
    /// The first seconds; `nil` afterwards.
    var alignment: InitialAlignment? = InitialAlignment()
    /// There is an attitude.
    package internal(set) var isStarted = false

    package init() {}
}

/// What is remembered of the gyroscope.
struct GyroscopeTrack: Hashable, Sendable {
    /// The moment of the last reading.
    var at: Instant?
    /// That reading less bias, rad/s, body frame.
    var rate = Vector3.zero
    /// The last step's turn: the one before tells how the rate changes.
    var turn = Vector3.zero
    /// By how much the rate changed in the last step.
    var change = Vector3.zero
    /// From the orientation that is kept to the one at the last reading's moment.
    var lead = Vector3.zero
    /// The rate's length, in the mean of half a second.
    var level = 0.0
    /// About the vertical, rad/s, positive to starboard, with the yawing in waves smoothed away.
    var turning = 0.0
    /// It has lied before, or repeats one reading.
    var isSuspect = false
}

/// Over ground, as the receiver says, m/s.
struct KnownSpeed: Hashable, Sendable {
    var speed: Double
    var at: Instant
}

/// What is remembered of the accelerometer.
struct ForceTrack: Hashable, Sendable {
    var at: Instant?
    /// Power of the acceleration, g².
    var power = 0.0
    /// Where the accelerometer alone sees down, body frame.
    var down: Vector3?
}

/// What is remembered of the magnetometer.
struct FieldTrack: Hashable, Sendable {
    var at: Instant?
    var last = Vector3.zero
    /// How the body has turned since that reading was new, radians, body frame.
    var turned = Vector3.zero
    /// With the attitude about where north is.
    var dispute = FieldDispute()
    /// North and down parts of the undisturbed field, µT.
    var reference = Vector3.zero
    /// Seconds of moving that the reference holds.
    var referenceAge = 0.0
    /// Assumed variance of the disturbance and of the residual hard iron, µT².
    var variance = 0.0
    var hardIronVariance = 0.0
    /// Seconds for which a residual hard iron stays the same.
    var hardIronMemory = 600.0
    /// Since when samples have been outside the gate.
    var outsideSince: Instant?
    /// The disturbance is larger than what is usual.
    var isLarge = false
    /// The hard iron before a disturbance came; `nil`: none is there.
    var undisturbed: Vector3?
}
