/// The options of `dashboard`.
struct DashboardOptions: Equatable {
    /// `nil`: the standard one, where it is there.
    var configFile: String?

    init(_ arguments: inout ArgumentReader) throws(UsageError) {
        configFile = try arguments.option("--config")
        try arguments.finish()
    }
}
