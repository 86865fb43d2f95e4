import HeadingPipeline

/// `run`: reads the sensors and publishes until it is told to stop.
enum RunCommand {
    static func run(_ options: RunOptions, _ settings: Settings) -> ExitStatus {
        .failed
    }
}
