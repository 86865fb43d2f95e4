/// What can be set by a message to `<base>/<name>/set`; the raw value is that name, and the topic of its state.
package enum CommandTopic: String, CaseIterable, Sendable {
    case destination, steer, trip, reference, smoothing, calibration
    case headingOffset = "heading_offset"

    /// The key of the config file that it changes.
    package var setting: SettingName? {
        switch self {
        case .reference: SettingName("heading.reference")
        case .smoothing: SettingName("heading.smoothing")
        case .headingOffset: SettingName("heading.offset")
        case .destination, .steer, .trip, .calibration: nil
        }
    }
}

extension Settings.Heading {
    /// The setting as the config file would give it; `nil` for a topic without one.
    package func text(of topic: CommandTopic) -> String? {
        switch topic {
        case .reference: ValueFormat<Settings.Reference>.oneOf.write(reference)
        case .smoothing: ValueFormat.smoothing.write(smoothing)
        case .headingOffset: ValueFormat.headingOffset.write(offset)
        case .destination, .steer, .trip, .calibration: nil
        }
    }

    /// What puts the setting in force; `nil` for a topic without one.
    package func command(for topic: CommandTopic) -> OperatorCommand? {
        switch topic {
        case .reference: .reference(reference)
        case .smoothing: .smoothing(smoothing)
        case .headingOffset: .headingOffset(offset)
        case .destination, .steer, .trip, .calibration: nil
        }
    }
}
