import HeadingPipeline

/// `replay FILE`: sends a recording through the same pipeline and prints or publishes what comes out.
enum ReplayCommand {
    static func run(_ options: ReplayOptions) -> ExitStatus {
        do throws(ReplayError) {
            let tally = try play(options)
            StandardStream.error.writeLine("compass-mqtt: \(options.file): \(tally.text)")
            return tally.refused == 0 ? .done : .failed
        } catch {
            StandardStream.error.writeLine("compass-mqtt: \(options.file): \(error.description)")
            return error.status
        }
    }

    private static func play(_ options: ReplayOptions) throws(ReplayError) -> ReplayTally {
        let config = try configured(options.configFile)
        var input = RecordingInput(try RecordingInput.open(options.file))
        // What is no recording throws, so a head comes first.
        guard case .head(let head) = try input.next() else { return ReplayTally() }
        var player = try RecordingPlayer(options, head, config: config)
        try player.play(&input)
        return player.tally
    }

    static func configured(_ file: String?) throws(ReplayError) -> Settings? {
        guard let file else { return nil }
        do throws(SettingsFaults) { return try ConfigLoader.load(file).settings } catch {
            throw ReplayError(error.description, .usage)
        }
    }
}

/// A recording cannot be replayed (any further).
struct ReplayError: Error {
    let description: String
    let status: ExitStatus

    init(_ description: String, _ status: ExitStatus = .failed) {
        self.description = description
        self.status = status
    }
}

/// What a replay has seen.
struct ReplayTally {
    var readings = 0
    var messages = 0
    var refused = 0
    var isCutOff = false

    var text: String {
        let refusals = refused == 0 ? "" : ", \(refused) lines refused"
        let end = isCutOff ? ", the last line is cut off" : ""
        return "\(readings) readings, \(messages) messages\(refusals)\(end)"
    }
}
