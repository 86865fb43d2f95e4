/// The topics under `<base>`, in the order in which they are sent after a connect: statuses first, so that
/// nobody takes a value for current before its source's status has been said.
package enum Topic: Int, CaseIterable, Sendable {
    case status
    case magnetometerStatus, accelerometerStatus, gyroscopeStatus, gpsStatus
    case heading, headingMagnetic, headingTrue
    case rateOfTurn, roll, pitch
    case speed, course, position
    case declination, field
    case diagnostics

    /// Below `<base>/`.
    package var path: String {
        switch self {
        case .status: "status"
        case .magnetometerStatus: "magnetometer/status"
        case .accelerometerStatus: "accelerometer/status"
        case .gyroscopeStatus: "gyroscope/status"
        case .gpsStatus: "gps/status"
        case .heading: "heading"
        case .headingMagnetic: "heading/magnetic"
        case .headingTrue: "heading/true"
        case .rateOfTurn: "rate_of_turn"
        case .roll: "roll"
        case .pitch: "pitch"
        case .speed: "speed"
        case .course: "course"
        case .position: "position"
        case .declination: "declination"
        case .field: "field"
        case .diagnostics: "diagnostics"
        }
    }

    /// `online` or `offline`; always sent with QoS 1.
    package var isStatus: Bool { rawValue <= Topic.gpsStatus.rawValue }

    /// The status topic of a source.
    package static func status(of source: Source) -> Topic {
        switch source {
        case .magnetometer: .magnetometerStatus
        case .accelerometer: .accelerometerStatus
        case .gyroscope: .gyroscopeStatus
        case .gps: .gpsStatus
        }
    }
}
