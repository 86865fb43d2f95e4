import CMosquitto

/// What this program is called when it names itself.
enum Version {
    static let number = "0.1.0"

    /// Of the library that is loaded now, which may be newer than the one it was built with.
    static var mosquitto: String {
        var (major, minor, revision) = (Int32(0), Int32(0), Int32(0))
        mosquitto_lib_version(&major, &minor, &revision)
        return "\(major).\(minor).\(revision)"
    }
}
