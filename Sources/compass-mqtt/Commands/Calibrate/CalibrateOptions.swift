import HeadingPipeline

/// The options of `calibrate`.
struct CalibrateOptions {
    enum Mode {
        /// The fit of a file.
        case cloud(CloudOptions)
        /// Turning the sensor in all directions, or the vessel on the level.
        case turn(isLevel: Bool)
        case restore(CalibrationRecord.Kind)
    }

    var mode: Mode
    /// `nil`: the standard one, where it is there.
    var configFile: String?
    /// A simulated sensor instead of the agent's or the machine's.
    var isSimulated: Bool
    /// Ends with what there is after this long.
    var limit: Interval
    var isJSON: Bool

    init(_ arguments: inout ArgumentReader) throws(UsageError) {
        configFile = try arguments.option("--config")
        isJSON = arguments.flag("--json")
        isSimulated = arguments.flag("--simulate")
        limit = try arguments.option("--seconds").map(Self.seconds) ?? .seconds(300)
        mode = try Self.mode(&arguments)
        try arguments.finish()
    }

    /// Whether the simulated sensor turns on the level; `nil`: it is not simulated.
    var simulatedLevelTurn: Bool? {
        guard isSimulated else { return nil }
        if case .turn(let isLevel) = mode { return isLevel }
        return false
    }

    private static func mode(_ arguments: inout ArgumentReader) throws(UsageError) -> Mode {
        let isRestore = arguments.flag("--restore")
        let isLevelTurn = arguments.flag("--turn")
        if let file = try arguments.option("--from") {
            guard !isRestore, !isLevelTurn else { throw UsageError("--from goes with no other mode") }
            return .cloud(try CloudOptions(file: file, &arguments))
        }
        if isRestore {
            guard !isLevelTurn else { throw UsageError("--restore goes with no other mode") }
            return .restore(.magnetic)
        }
        return .turn(isLevel: isLevelTurn)
    }

    private static func seconds(_ text: String) throws(UsageError) -> Interval {
        guard let value = Double(text), (1...86_400).contains(value) else {
            throw UsageError("--seconds \(text) is not a number of seconds from 1 to 86400")
        }
        return .seconds(value)
    }
}
