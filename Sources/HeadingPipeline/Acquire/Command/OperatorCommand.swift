/// What the operator asks for by a message while the agent runs.
package enum OperatorCommand: Hashable, Sendable {
    /// Where to go; `nil`: nowhere any more.
    case destination(Waypoint?)
    /// `nil`: none any more.
    case steer(OrderedCourse?)
    case resetTrip
    case reference(Settings.Reference)
    case smoothing(Interval)
    case headingOffset(Angle)
}

/// A place with the name that the operator gave it.
package struct Waypoint: Hashable, Sendable {
    package var position: GeoPosition
    package var name: String?

    package init(position: GeoPosition, name: String? = nil) {
        self.position = position
        self.name = name
    }
}

/// A course that is to be steered, as it was ordered.
package struct OrderedCourse: Hashable, Sendable {
    /// 0° ..< 360°.
    package var course: Angle
    /// The north that it is counted from; `nil`: that of the heading which is shown when the order comes.
    package var reference: Settings.Reference?

    package init(_ course: Angle, from reference: Settings.Reference? = nil) {
        self.course = course
        self.reference = reference
    }
}

/// What the trip has come to since it was reset.
package struct TripTotals: Hashable, Sendable {
    /// Over ground.
    package var distance = Length.zero
    package var maximumSpeed = Speed.zero
    /// `nil` while no clock could tell.
    package var since: UTCTime?

    package init(distance: Length = .zero, maximumSpeed: Speed = .zero, since: UTCTime? = nil) {
        self.distance = distance
        self.maximumSpeed = maximumSpeed
        self.since = since
    }
}

extension Settings.Heading {
    /// Takes over what a command sets; other commands change nothing here.
    package mutating func adopt(_ command: OperatorCommand) {
        switch command {
        case .reference(let reference): self.reference = reference
        case .smoothing(let smoothing): self.smoothing = smoothing
        case .headingOffset(let offset): self.offset = offset
        case .destination, .steer, .resetTrip: break
        }
    }
}
