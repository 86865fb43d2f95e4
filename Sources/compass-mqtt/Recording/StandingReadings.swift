import HeadingPipeline

/// The readings that hold until another one says otherwise: which devices are open, or why not, and
/// what is stored of them, what was commanded, and what the trip has come to.
struct StandingReadings {
    private var opened: [Reading?] = Source.allCases.map { _ in nil }
    private var stored: [Reading?] = Source.allCases.map { _ in nil }
    /// The last of each kind.
    private var commands: [Reading?] = [nil, nil, nil, nil, nil]
    private var trip: TripTotals?
    private var last: Instant?

    /// - Parameter trip: what it has come to with this reading.
    mutating func take(_ reading: Reading, trip: TripTotals? = nil) {
        last = reading.at
        self.trip = trip ?? self.trip
        switch reading.content {
        case .opened(let source, _), .lost(let source, _):
            opened[source.rawValue] = reading
            stored[source.rawValue] = nil
        case .stored(let source, _): stored[source.rawValue] = reading
        case .command(let command): keep(reading, at: command.place)
        default: break
        }
    }

    private mutating func keep(_ command: Reading, at place: Int?) {
        if let place { commands[place] = command }
    }

    /// Which devices are open, in the order in which they were opened.
    var open: [Reading] {
        opened.compactMap { if case .opened = $0?.content { $0 } else { nil } }.sorted { $0.at < $1.at }
    }

    /// As lines of a recording, all of the moment up to which they are known to hold.
    func append(to lines: inout [UInt8]) {
        guard let last else { return }
        for case .some(let reading) in opened + stored + commands {
            lines.appendLine(Reading(at: last, reading.content))
        }
        if let trip { lines.appendLine(Reading(at: last, .trip(trip))) }
    }
}

extension OperatorCommand {
    /// Of those that hold until the next of their kind.
    fileprivate var place: Int? {
        switch self {
        case .destination: 0
        case .steer: 1
        case .reference: 2
        case .smoothing: 3
        case .headingOffset: 4
        case .resetTrip: nil
        }
    }
}
