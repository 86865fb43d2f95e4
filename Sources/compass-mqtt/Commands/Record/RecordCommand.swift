import HeadingPipeline

/// `record FILE`: writes what the sources give, without a broker, until it is told to stop.
enum RecordCommand {
    static func run(_ options: RecordOptions, _ settings: Settings) -> ExitStatus {
        let settings = RunCommand.adapted(settings, isSimulated: options.isSimulated)
        do throws(RecordingError) {
            let recorder = try Recorder(
                options.file, limit: options.largestSize ?? settings.agent.recordMaxSize,
                head: RecordingHead(settings: settings))
            return run(recorder, options, settings)
        } catch {
            Log.error("cannot record: \(error)")
            return .failed
        }
    }

    private static func run(_ recorder: Recorder, _ options: RecordOptions, _ settings: Settings)
        -> ExitStatus
    {
        do {
            let watch = try RecordingWatch(recorder)
            try recorder.start()
            let simulated = options.isSimulated ? [SimulatedSource(settings: settings)] : nil
            let feed = try FeedChoice.open(simulated: simulated, settings, savesNothing: true)
            defer { feed.stop() }
            Log.info("recording \(feed.origin) to \(options.file); Ctrl-C ends it")
            try watch.run(feed, for: options.duration)
            guard watch.hasHeard else {
                Log.error("no sensor and no receiver gave anything: see compass-mqtt devices")
                return .failed
            }
        } catch {
            Log.error("cannot record: \(error)")
            return .failed
        }
        Log.info("\(recorder.recordedCount) readings recorded")
        return recorder.failure == nil ? .done : .failed
    }
}
