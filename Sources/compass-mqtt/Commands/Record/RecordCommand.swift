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
        do throws(Errno) {
            let watch = try RecordingWatch(
                recorder, sources: RunCommand.sources(isSimulated: options.isSimulated, settings), settings)
            Log.info("recording to \(options.file); Ctrl-C ends it")
            try watch.run(for: options.duration)
            Log.info("\(recorder.recordedCount) readings recorded")
            return recorder.failure == nil ? .done : .failed
        } catch {
            Log.error("cannot record: \(error)")
            return .failed
        }
    }
}
