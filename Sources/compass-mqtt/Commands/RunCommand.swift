import HeadingPipeline

/// `run`: reads the sensors and publishes until it is told to stop.
enum RunCommand {
    static func run(_ options: RunOptions, _ settings: Settings) -> ExitStatus {
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
        let receivers: [any ReadingSource] = settings.gps.isEnabled ? [GpsdSource(settings: settings.gps)] : []
        return IIOSource.all(settings) + receivers
    }
}
