import Glibc
import HeadingPipeline

/// Reads the config file that the command line or the system names.
enum ConfigLoader {
    static let standardPath = "/etc/compass-mqtt.conf"

    /// The file that is asked for must be there. Where none is asked for and the standard one is not there,
    /// all settings stand at their defaults.
    static func load(_ path: String?) throws(SettingsFaults) -> LoadedSettings {
        guard let bytes = try bytes(of: path) else {
            Log.info("no \(standardPath): all settings stand at their defaults")
            return .defaults
        }
        var loaded = try Settings.load(bytes, file: path ?? standardPath)
        if let folder = getenv("CREDENTIALS_DIRECTORY") {
            loaded.settings = loaded.settings.withCredentials(in: String(cString: folder))
        }
        return loaded
    }

    private static func bytes(of path: String?) throws(SettingsFaults) -> [UInt8]? {
        let file = path ?? standardPath
        do throws(TextFile.Fault) {
            // One byte more than allowed, so that a file that is too large is known as such.
            return try TextFile.read(file, upTo: ConfigFile.largestSize + 1)
        } catch {
            if path == nil, error.isMissing { return nil }
            throw SettingsFaults([
                SettingsError(file: file, reason: error.description, allowed: "a config file")
            ])
        }
    }
}
