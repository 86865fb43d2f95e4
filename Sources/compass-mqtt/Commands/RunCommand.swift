import CLinux
import HeadingPipeline

/// `run`: reads the sensors and publishes until it is told to stop.
enum RunCommand {
    static func run(_ options: RunOptions, _ settings: Settings) -> ExitStatus {
        limit_malloc_arenas()
        let settings = keptApart(
            adapted(settings, isSimulated: options.isSimulated), isSimulated: options.isSimulated)
        do throws(Errno) {
            let sources = sources(isSimulated: options.isSimulated, settings)
            return try Agent(settings: settings, sources: sources).run()
        } catch {
            Log.error("cannot start: \(error.description)")
            return .failed
        }
    }

    /// The simulated sensors need no calibration, and know it.
    static func adapted(_ settings: Settings, isSimulated: Bool) -> Settings {
        guard isSimulated, settings.magnetometer.hardIron == nil else { return settings }
        var settings = settings
        settings.magnetometer.hardIron = .zero
        return settings
    }

    /// What a simulated vessel says is not taken for the real one's, unless a topic is named for it; what is set and
    /// learned there never is.
    static func keptApart(_ settings: Settings, isSimulated: Bool) -> Settings {
        guard isSimulated else { return settings }
        var settings = settings
        settings.agent.stateDirectory += "/simulated"
        guard settings.publish.baseTopic == nil else { return settings }
        settings.agent.id = AgentIdentity.id(configured: settings.agent.id) + "-simulated"
        return settings
    }

    static func sources(isSimulated: Bool, _ settings: Settings) -> [any ReadingSource] {
        if isSimulated { return [SimulatedSource(settings: settings)] }
        let receivers: [any ReadingSource] =
            settings.gps.isEnabled ? [GpsdSource(settings: settings.gps)] : []
        return IIOSource.all(settings) + receivers
    }
}
