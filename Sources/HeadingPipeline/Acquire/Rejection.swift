/// Why a reading was refused. Refused readings are counted by reason; the raw value is the reason's name in
/// the diagnostics.
package enum Rejection: String, Error, CaseIterable, Sendable {
    /// The device answered with an error (EIO, EREMOTEIO, ETIMEDOUT).
    case readFailed = "read_failed"
    /// Bytes that do not make a reading: half a frame, text that is not a number.
    case malformed
    /// Not a finite number.
    case notFinite = "not_finite"
    /// More than any such sensor measures: a driver's fault, or bits that fell over on the bus.
    case outOfRange = "out_of_range"
    /// An axis stands at the end of its range.
    case saturated
    /// All three axes are zero.
    case zeroField = "zero_field"
    /// The raw triple stands still while the vessel turns.
    case frozen
    /// The gyroscope turns otherwise than the field.
    case contradicted
    /// Attitude in which heading has no meaning: the bow points straight up or down.
    case gimbal
    /// Gravity is not there to tell which way is down.
    case noVertical = "no_vertical"
    /// More than could be taken: a flood is thinned out.
    case overrun
    /// A line from gpsd that is not a JSON object it knows.
    case badReport = "bad_report"
    /// A line from gpsd that is longer than any real one.
    case lineTooLong = "line_too_long"
    /// A fix at 0, 0 without any error estimate: the receiver's "don't know".
    case zeroPosition = "zero_position"
    /// A fix that the vessel cannot have reached.
    case wildFix = "wild_fix"
    /// A report of a receiver that the settings do not ask for.
    case otherDevice = "other_device"
}
