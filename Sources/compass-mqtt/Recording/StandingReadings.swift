import HeadingPipeline

/// The readings that hold until another one says otherwise: which devices are open, or why not, and
/// what is stored of them.
struct StandingReadings {
    private var opened: [Reading?] = Source.allCases.map { _ in nil }
    private var stored: [Reading?] = Source.allCases.map { _ in nil }
    private var last: Instant?

    mutating func take(_ reading: Reading) {
        last = reading.at
        switch reading.content {
        case .opened(let source, _), .lost(let source, _):
            opened[source.rawValue] = reading
            stored[source.rawValue] = nil
        case .stored(let source, _): stored[source.rawValue] = reading
        default: break
        }
    }

    /// As lines of a recording, all of the moment up to which they are known to hold.
    func append(to lines: inout [UInt8]) {
        guard let last else { return }
        for case .some(let reading) in opened + stored {
            lines.appendLine(Reading(at: last, reading.content))
        }
    }
}
