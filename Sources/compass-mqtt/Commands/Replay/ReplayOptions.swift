/// The options of `replay`.
struct ReplayOptions: Equatable {
    /// `-`: standard input.
    var file: String
    /// `nil`: the settings in the recording's head.
    var configFile: String?
    /// To the broker, instead of to standard output.
    var isPublished = false
    /// Recorded seconds in one; `nil`: as fast as it goes.
    var speed: Double?

    init(_ arguments: inout ArgumentReader) throws(UsageError) {
        isPublished = arguments.flag("--publish")
        configFile = try arguments.option("--config")
        let speed = try arguments.option("--speed")
        guard let file = try arguments.next() else { throw UsageError("replay needs a FILE") }
        self.file = file
        try arguments.finish()
        // A broker that gets hours at once keeps the last moment only.
        self.speed = try speed.map(Self.speed) ?? (isPublished ? 1 : nil)
    }

    private static func speed(_ text: String) throws(UsageError) -> Double? {
        guard let speed = Double(text), speed.isFinite, speed >= 0 else {
            throw UsageError("--speed \(text) is not 0 (as fast as it goes), 1 (as recorded) or a factor")
        }
        return speed == 0 ? nil : speed
    }
}
