import HeadingPipeline

extension Recorder {
    /// The recording that the settings ask for. Where it cannot begin, the agent runs without.
    convenience init?(settings: Settings) {
        guard let path = settings.agent.recordFile else { return nil }
        do throws(RecordingError) {
            try self.init(path, limit: settings.agent.recordMaxSize, head: RecordingHead(settings: settings))
        } catch {
            Log.error("nothing is recorded: \(error)")
            return nil
        }
        Log.info("recording to \(path)")
    }
}

extension RecordingHead {
    /// Of a recording that this program begins now. The agent's id is written out, since another machine would
    /// make another one.
    init(settings: Settings) {
        var settings = settings
        settings.agent.id = AgentIdentity.id(configured: settings.agent.id)
        self.init(program: Version.number, buildDate: BuildDate.current, settings: settings)
    }
}
