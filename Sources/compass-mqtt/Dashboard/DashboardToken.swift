import Glibc
import HeadingPipeline

/// The token that the settings give, or the file that they name.
enum DashboardToken {
    static func token(_ settings: Settings.Dashboard) throws(SettingsError) -> AccessToken? {
        if let text = settings.token { return AccessToken(Array(text.utf8)) }
        guard let path = settings.tokenFile else { return nil }
        guard let token = AccessToken(try read(path)) else {
            throw SettingsError(
                file: path, section: "dashboard", key: "token_file", reason: "has no token in it",
                allowed: TokenRule.allowed)
        }
        return token
    }

    private static func read(_ path: String) throws(SettingsError) -> [UInt8] {
        do throws(SessionFault) {
            return try PasswordFile(path: path, key: "dashboard.token_file").withPassword {
                Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
            }
        } catch {
            throw SettingsError(file: path, reason: error.reason)
        }
    }
}
