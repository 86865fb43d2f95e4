/// The content of a message that sets something, read with the formats of the config file. Whatever the bytes
/// are, they give a command or a reason.
package enum CommandPayload: Hashable, Sendable {
    case command(OperatorCommand)
    case calibration(CalibrationCommand)
    /// The setting is the config file's again.
    case configured(CommandTopic)

    package enum CalibrationCommand: String, CaseIterable, Sendable { case start, stop }

    /// A word, since an empty message also comes when somebody takes away a command that the broker has stored.
    private static let configuredWord = "default"

    /// Longer ones say nothing that is asked for here.
    package static let longest = 1024

    package init(_ topic: CommandTopic, _ payload: [UInt8]) throws(CommandFault) {
        guard payload.count <= Self.longest else {
            throw CommandFault("is longer than \(Self.longest) bytes", topic.allowed)
        }
        guard let whole = String(validating: payload, as: UTF8.self) else {
            throw CommandFault("is not UTF-8", topic.allowed)
        }
        let text = whole.trimmingBlanks
        do throws(ValueFault) { self = try Self.read(topic, text) } catch {
            throw CommandFault(error.reason, topic.allowed)
        }
    }

    private static func read(_ topic: CommandTopic, _ text: String) throws(ValueFault) -> CommandPayload {
        if text.isEmpty {
            switch topic {
            case .destination: return .command(.destination(nil))
            case .steer: return .command(.steer(nil))
            default: throw ValueFault("is empty")
            }
        }
        if text == configuredWord, topic.setting != nil { return .configured(topic) }
        switch topic {
        case .destination: return .command(.destination(try JSONObject.readOne(text, Waypoint.init)))
        case .steer: return .command(.steer(try courseToSteer(text)))
        case .trip:
            try refuseState(text)
            guard text == "reset" else { throw ValueFault("is not known") }
            return .command(.resetTrip)
        case .reference: return .command(.reference(try ValueFormat.oneOf.read(text)))
        case .smoothing: return .command(.smoothing(try ValueFormat.smoothing.read(text)))
        case .headingOffset: return .command(.headingOffset(try ValueFormat.headingOffset.read(text)))
        case .calibration:
            try refuseState(text)
            return .calibration(try ValueFormat.oneOf.read(text))
        }
    }

    /// A number, or the document that tells the state.
    private static func courseToSteer(_ text: String) throws(ValueFault) -> OrderedCourse {
        guard text.hasPrefix("{") else { return OrderedCourse(try ValueFormat.courseToSteer.read(text)) }
        return try JSONObject.readOne(text, OrderedCourse.init)
    }

    /// Of what begins and ends, the document that tells how it stands asks for nothing.
    private static func refuseState(_ text: String) throws(ValueFault) {
        guard !text.hasPrefix("{") else { throw ValueFault("is a state, and sets nothing") }
    }
}

/// Why a message is refused.
package struct CommandFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String
    package let allowed: String

    package init(_ reason: String, _ allowed: String) {
        self.reason = reason
        self.allowed = allowed
    }

    package var description: String { "\(reason), allowed: \(allowed)" }
}

extension CommandTopic {
    /// In words.
    fileprivate var allowed: String {
        switch self {
        case .destination: Waypoint.allowed + ", or nothing"
        case .steer:
            ValueFormat.courseToSteer.allowed
                + ", {\"value\": such a number, \"reference\": true or magnetic}, or nothing"
        case .trip: "reset"
        case .reference: ValueFormat<Settings.Reference>.oneOf.allowed + Self.orDefault
        case .smoothing: ValueFormat.smoothing.allowed + Self.orDefault
        case .headingOffset: ValueFormat.headingOffset.allowed + Self.orDefault
        case .calibration: ValueFormat<CommandPayload.CalibrationCommand>.oneOf.allowed
        }
    }

    private static let orDefault = ", or default for what the config file says"
}

extension String {
    /// Without the blanks and line ends that tools put around a value.
    fileprivate var trimmingBlanks: String {
        let isBlank = { (character: Character) in character.isWhitespace && character.isASCII }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
