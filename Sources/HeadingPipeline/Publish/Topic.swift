/// The topics under `<base>`, in the order in which they are sent after a connect: statuses first, so that
/// nobody takes a value for current before its source's status has been said.
package enum Topic: Int, CaseIterable, Sendable {
    case status
    case magnetometerStatus, accelerometerStatus, gyroscopeStatus, gpsStatus
    case reference, smoothing, headingOffset
    case heading, headingMagnetic, headingTrue
    case rateOfTurn, roll, pitch
    case speed, course, position
    case declination, field
    case destination, steer, trip
    case calibration, commandsRejected
    case diagnostics

    /// Below `<base>/`.
    package var path: String {
        switch self {
        case .status: "status"
        case .magnetometerStatus: "magnetometer/status"
        case .accelerometerStatus: "accelerometer/status"
        case .gyroscopeStatus: "gyroscope/status"
        case .gpsStatus: "gps/status"
        case .reference: "reference"
        case .smoothing: "smoothing"
        case .headingOffset: "heading_offset"
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
        case .destination: "destination"
        case .steer: "steer"
        case .trip: "trip"
        case .calibration: "calibration"
        case .commandsRejected: "commands/rejected"
        case .diagnostics: "diagnostics"
        }
    }

    /// `online` or `offline`; always sent with QoS 1.
    package var isStatus: Bool { rawValue <= Topic.gpsStatus.rawValue }

    /// Says how something stands until it is set anew; sent with QoS 1, and good for ever.
    package var isSetting: Bool {
        switch self {
        case .reference, .smoothing, .headingOffset, .calibration: true
        default: false
        }
    }

    /// What is told once and holds for a moment is not kept by the broker.
    package var isEvent: Bool { self == .commandsRejected }

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
