import HeadingPipeline

/// The words of the command line; `run` where there is none.
enum Command: String, CaseIterable {
    case run, check, devices, declination, calibrate, record, replay, dashboard

    /// Takes the command off the front of the arguments; `nil`: they begin with an option, or are none.
    init?(_ arguments: inout ArgumentReader) throws(UsageError) {
        guard let word = arguments.command() else { return nil }
        guard let command = Command(rawValue: word) else {
            let nearest = NearestName.nearest(to: word, among: Command.allCases.map(\.rawValue))
            throw UsageError("unknown command \(word)" + (nearest.map { ", nearest is \($0)" } ?? ""))
        }
        self = command
    }
}
