import HeadingPipeline

/// The options of `record`.
struct RecordOptions: Equatable {
    var file: String
    /// `nil`: the standard one, where it is there.
    var configFile: String?
    var isSimulated = false
    /// `nil`: until it is stopped.
    var duration: Interval?
    /// Bytes of all files together; `nil`: the settings'.
    var largestSize: Int?

    init(_ arguments: inout ArgumentReader) throws(UsageError) {
        isSimulated = arguments.flag("--simulate")
        configFile = try arguments.option("--config")
        duration = try arguments.option("--seconds").map(Self.duration)
        largestSize = try arguments.option("--max-size").map(Self.size)
        guard let file = try arguments.next() else { throw UsageError("record needs a FILE") }
        self.file = file
        try arguments.finish()
    }

    private static func duration(_ text: String) throws(UsageError) -> Interval {
        guard let seconds = Double(text), seconds > 0, seconds <= 1e9 else {
            throw UsageError("--seconds \(text) is no number of seconds")
        }
        return .seconds(seconds)
    }

    private static func size(_ text: String) throws(UsageError) -> Int {
        guard let megabytes = Int(text), (1...1_000_000).contains(megabytes) else {
            throw UsageError("--max-size \(text) is no whole number of megabytes from 1 to 1000000")
        }
        return megabytes * 1_000_000
    }
}
