/// The ways out of what operators set by command: where to go, what to steer, the trip, and settings.
struct GuidanceOutlets: Sendable {
    private var destination: Outlet<DestinationMeasurement>
    private var steer: Outlet<SteerMeasurement>
    private var trip: Outlet<TripMeasurement>
    private(set) var due: Instant?

    init(_ throttle: Throttle.Settings) {
        destination = Outlet(.destination, throttle)
        steer = Outlet(.steer, throttle)
        trip = Outlet(.trip, throttle)
    }

    mutating func take(
        _ new: Measurements, with pen: inout Pen, at now: Instant, _ deliver: Publisher.Delivery
    ) {
        guard new.destination != nil || new.steer != nil || new.trip != nil || new.settings != nil else {
            return
        }
        defer { due = earliestDue }
        if let news = new.destination { take(news, &pen, at: now, deliver) }
        if let news = new.steer { take(news, &pen, at: now, deliver) }
        if let new = new.trip { pen.send(new, through: &trip, at: now, deliver) }
        if let settings = new.settings { tell(settings, deliver) }
    }

    private mutating func take(
        _ news: DestinationNews, _ pen: inout Pen, at now: Instant, _ deliver: Publisher.Delivery
    ) {
        switch news {
        case .cleared:
            destination.forget()
            deliver(.destination, [])
        case .underWay(let new): pen.send(new, through: &destination, at: now, deliver)
        }
    }

    private mutating func take(
        _ news: SteerNews, _ pen: inout Pen, at now: Instant, _ deliver: Publisher.Delivery
    ) {
        switch news {
        case .cleared:
            steer.forget()
            deliver(.steer, [])
        case .steering(let new): pen.send(new, through: &steer, at: now, deliver)
        }
    }

    /// Settings as the config file would give them.
    private func tell(_ settings: Settings.Heading, _ deliver: Publisher.Delivery) {
        let topics: [(Topic, CommandTopic)] = [
            (.reference, .reference), (.smoothing, .smoothing), (.headingOffset, .headingOffset),
        ]
        for (topic, setting) in topics {
            if let text = settings.text(of: setting) { deliver(topic, Array(text.utf8)) }
        }
    }

    mutating func flush(with pen: inout Pen, at now: Instant, _ deliver: Publisher.Delivery) {
        guard let due, now >= due else { return }
        defer { self.due = earliestDue }
        pen.flush(&destination, at: now, deliver)
        pen.flush(&steer, at: now, deliver)
        pen.flush(&trip, at: now, deliver)
    }

    private var earliestDue: Instant? { [destination.due, steer.due, trip.due].compactMap { $0 }.min() }
}
