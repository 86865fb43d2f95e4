import HeadingPipeline

/// `calibrate`: learns the magnetometer's calibration, from live samples or from a file.
enum CalibrateCommand {
    static func run(_ arguments: inout ArgumentReader) throws(UsageError) -> ExitStatus {
        let options = try CalibrateOptions(&arguments)
        if case .cloud(let cloud) = options.mode {
            return CloudCalibration.run(cloud, configFile: options.configFile, isJSON: options.isJSON)
        }
        do throws(SettingsFaults) {
            let settings = try ConfigLoader.load(options.configFile).settings
            Log.setLevel(.error)
            return run(options, settings)
        } catch {
            StandardStream.error.writeLine(error.description)
            return .usage
        }
    }

    private static func run(_ options: CalibrateOptions, _ settings: Settings) -> ExitStatus {
        if case .card(let isSVG) = options.mode { return CardCommand.run(options, settings, isSVG: isSVG) }
        do throws(FeedFault) {
            try FeedLoop.holdSignals()
            let feed = try FeedChoice.open(simulated: options.simulatedSources(settings), settings)
            defer { feed.stop() }
            switch options.mode {
            case .cloud, .card: return .usage
            case .turn(let isLevel):
                return try TurnCalibration(feed: feed, options: options, settings: settings, isLevel: isLevel)
                    .run()
            case .level:
                return try LevelCalibration(feed: feed, options: options, settings: settings).run()
            case .align(let bearing):
                return try AlignCalibration(
                    feed: feed, options: options, settings: settings, bearing: bearing
                ).run()
            case .swing:
                return try SwingCalibration(feed: feed, options: options, settings: settings).run()
            case .restore(let kind): return try RestoreCalibration(feed).run(kind)
            }
        } catch {
            StandardStream.error.writeLine("compass-mqtt: \(error)")
            return .failed
        }
    }
}
