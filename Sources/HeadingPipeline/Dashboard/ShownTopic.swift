/// What the page shows of a vessel, in the order in which a new viewer gets it: statuses first, so that no value
/// is taken for current before its source's status has been said.
package enum ShownTopic: String, CaseIterable, Sendable {
    case status
    case magnetometerStatus = "magnetometer/status"
    case accelerometerStatus = "accelerometer/status"
    case gyroscopeStatus = "gyroscope/status"
    case gpsStatus = "gps/status"
    case reference
    case diagnostics
    case heading
    case headingMagnetic = "heading/magnetic"
    case headingTrue = "heading/true"
    case rateOfTurn = "rate_of_turn"
    case roll, pitch
    case speed, course, position
    case declination, field
    case destination, steer, trip
    case calibration
    case rejected = "commands/rejected"
}
