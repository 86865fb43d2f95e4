/// What one topic says. It knows when it differs enough to be worth a message, and its own JSON.
protocol TopicContent: Sendable {
    func change(from sent: Self, _ deadbands: Deadbands) -> Throttle.Change
    func write(to writer: inout PayloadWriter, _ units: Settings.Units)
}

/// Changes smaller than these are not worth a message.
package struct Deadbands: Hashable, Sendable {
    var angle: Angle
    var speed: Speed
    var position: Length
    var field: FluxDensity

    package init(_ settings: Settings.Publish) {
        angle = settings.deadband
        speed = settings.speedDeadband
        position = settings.positionDeadband
        field = settings.fieldDeadband
    }
}

extension Throttle.Change {
    /// A deadband of zero makes a message of every value. `step` is what the last printed decimal is worth: a smaller difference cannot be seen.
    init<Value: Quantity>(_ difference: Value, deadband: Value, step: Value) {
        let difference = difference.magnitude
        self = difference >= deadband ? .large : difference < step / 2 ? .none : .small
    }

    /// Known on one side only is a change; unknown on both is none.
    static func between<Value>(
        _ sent: Value?, _ new: Value?, _ compare: (Value, Value) -> Throttle.Change
    ) -> Throttle.Change {
        switch (sent, new) {
        case (let sent?, let new?): compare(sent, new)
        case (nil, nil): .none
        default: .urgent
        }
    }

    /// An accuracy is worth a message of its own when it has grown or shrunk by a quarter.
    static func ofAccuracy<Value: Quantity>(_ sent: Value?, _ new: Value?) -> Throttle.Change {
        guard let sent, let new else { return .none }
        return new > sent * 1.25 || new < sent * 0.75 ? .large : .none
    }

    func or(_ other: Throttle.Change) -> Throttle.Change { rank >= other.rank ? self : other }

    private var rank: Int {
        switch self {
        case .none: 0
        case .small: 1
        case .large: 2
        case .urgent: 3
        }
    }
}
