/// The options of `run`.
struct RunOptions: Equatable {
    /// `nil`: the standard one, where it is there.
    var configFile: String?
    /// A simulated vessel instead of sensors and gpsd.
    var isSimulated = false

    init(_ arguments: inout ArgumentReader) throws(UsageError) {
        isSimulated = arguments.flag("--simulate")
        configFile = try arguments.option("--config")
        try arguments.finish()
    }
}
