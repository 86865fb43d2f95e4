import HeadingPipeline

/// `calibrate`: learns the magnetometer's calibration, from live samples or from a file.
enum CalibrateCommand {
    static func run(_ arguments: inout ArgumentReader) throws(UsageError) -> ExitStatus {
        let options = try CalibrateOptions(&arguments)
        if case .cloud(let cloud) = options.mode {
            return CloudCalibration.run(cloud, isJSON: options.isJSON)
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
        do throws(FeedFault) {
            let feed = try FeedChoice.open(simulatingLevelTurn: options.simulatedLevelTurn, settings)
            defer { feed.stop() }
            switch options.mode {
            case .cloud: return .usage
            case .turn(let isLevel):
                return try TurnCalibration(feed, options, settings, isLevel: isLevel).run()
            case .restore(let kind): return try RestoreCalibration(feed).run(kind)
            }
        } catch {
            StandardStream.error.writeLine("compass-mqtt: \(error)")
            return .failed
        }
    }
}
