import HeadingPipeline

/// `run`: reads the sensors and publishes until it is told to stop.
enum RunCommand {
    static func run(_ options: RunOptions, _ settings: Settings) -> ExitStatus {
        var settings = settings
        // The simulated sensors need no calibration, and know it.
        if options.isSimulated, settings.magnetometer.hardIron == nil {
            settings.magnetometer.hardIron = .zero
        }
        do throws(Errno) {
            let agent = try Agent(settings: settings, sources: sources(options, settings))
            return try agent.run()
        } catch {
            Log.error("cannot start: \(error.description)")
            return .failed
        }
    }

    private static func sources(_ options: RunOptions, _ settings: Settings) -> [any ReadingSource] {
        if options.isSimulated { return [SimulatedSource(settings: settings)] }
        let receivers: [any ReadingSource] =
            settings.gps.isEnabled ? [GpsdSource(settings: settings.gps)] : []
        return IIOSource.all(settings) + receivers
    }
}
