/// What lasts from one run of the agent to the next: what operators have set by commands, and the trip.
package struct KeptState: Hashable, Sendable {
    /// The last command of each kind that sets something.
    package internal(set) var destination: Waypoint?
    package internal(set) var steer: OrderedCourse?
    package internal(set) var reference: Settings.Reference?
    package internal(set) var smoothing: Interval?
    package internal(set) var headingOffset: Angle?
    package var trip = TripTotals()
    package var storedMessages = StoredMessages()

    package init() {}

    package mutating func adopt(_ command: OperatorCommand) {
        switch command {
        case .destination(let waypoint): destination = waypoint
        case .steer(let course): steer = course
        case .resetTrip: trip = TripTotals()
        case .reference(let reference): self.reference = reference
        case .smoothing(let smoothing): self.smoothing = smoothing
        case .headingOffset(let offset): headingOffset = offset
        }
    }

    /// The setting is the config file's again.
    package mutating func giveBack(_ setting: CommandTopic) {
        switch setting {
        case .reference: reference = nil
        case .smoothing: smoothing = nil
        case .headingOffset: headingOffset = nil
        case .destination, .steer, .trip, .calibration: break
        }
    }

    /// Commands to settings, which go before the config file.
    package var settings: [OperatorCommand] {
        [
            reference.map(OperatorCommand.reference), smoothing.map(OperatorCommand.smoothing),
            headingOffset.map(OperatorCommand.headingOffset),
        ].compactMap { $0 }
    }

    /// Commands that the pipeline has to hear again.
    package var guidance: [OperatorCommand] {
        [destination.map { .destination($0) }, steer.map { .steer($0) }].compactMap { $0 }
    }
}

extension OperatorCommand {
    /// Where it can be set anew.
    package var topic: CommandTopic {
        switch self {
        case .destination: .destination
        case .steer: .steer
        case .resetTrip: .trip
        case .reference: .reference
        case .smoothing: .smoothing
        case .headingOffset: .headingOffset
        }
    }
}

extension LoadedSettings {
    /// Puts in force what commands have set, as long as the agent takes any.
    package mutating func adopt(_ kept: KeptState, from file: String) {
        guard settings.commands.isEnabled else { return }
        for command in kept.settings {
            settings.heading.adopt(command)
            if let name = command.topic.setting { otherOrigins[name] = "command, kept in \(file)" }
        }
    }
}
