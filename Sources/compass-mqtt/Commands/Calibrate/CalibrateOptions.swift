import HeadingPipeline

/// The options of `calibrate`.
struct CalibrateOptions {
    enum Mode {
        /// The fit of a file's samples.
        case cloud(CloudOptions)
        /// Turning the sensor in all directions, or the vessel on the level.
        case turn(isLevel: Bool)
        /// How the sensors lie while the vessel is level.
        case level
        /// The angle to the keel from a true bearing; `nil`: from the course over ground.
        case align(bearing: Angle?)
        /// The deviation table.
        case swing
        case card(isSVG: Bool)
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

    /// What takes the place of sensors and gpsd; `nil`: nothing is simulated.
    func simulatedSources(_ settings: Settings) -> [any ReadingSource]? {
        guard isSimulated else { return nil }
        switch mode {
        case .turn(let isLevel): return [TumblingSource(isLevel: isLevel)]
        case .swing, .align, .level: return [SimulatedSource(settings: settings)]
        case .cloud, .card, .restore: return [TumblingSource()]
        }
    }

    private static func mode(_ arguments: inout ArgumentReader) throws(UsageError) -> Mode {
        let isRestore = arguments.flag("--restore")
        let isSVG = arguments.flag("--svg")
        var modes: [(mode: Mode, kind: CalibrationRecord.Kind)] = []
        let isLevelTurn = arguments.flag("--turn")
        if let file = try arguments.option("--from") {
            let cloud = try CloudOptions(file: file, isLevelTurn: isLevelTurn, &arguments)
            modes.append((.cloud(cloud), .magnetic))
        } else if isLevelTurn {
            modes.append((.turn(isLevel: true), .magnetic))
        }
        if arguments.flag("--level") { modes.append((.level, .level)) }
        if let text = try arguments.option("--align") {
            modes.append((.align(bearing: try bearing(text)), .alignment))
        }
        if arguments.flag("--swing") { modes.append((.swing, .deviation)) }
        if arguments.flag("--card") { modes.append((.card(isSVG: isSVG), .deviation)) }
        guard modes.count <= 1 else { throw UsageError("only one of calibrate's modes at a time") }
        if isRestore { return .restore(modes.first?.kind ?? .magnetic) }
        return modes.first?.mode ?? .turn(isLevel: false)
    }

    private static func bearing(_ text: String) throws(UsageError) -> Angle? {
        if text == "course" { return nil }
        if let value = Double(text), (0...360).contains(value) { return .degrees(value) }
        throw UsageError("--align \(text) is neither a true bearing from 0 to 360 nor the word course")
    }

    private static func seconds(_ text: String) throws(UsageError) -> Interval {
        guard let value = Double(text), (1...86_400).contains(value) else {
            throw UsageError("--seconds \(text) is not a number of seconds from 1 to 86400")
        }
        return .seconds(value)
    }
}
