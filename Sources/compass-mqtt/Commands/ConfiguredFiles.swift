import Glibc
import HeadingPipeline

/// Looks at the files that the settings name.
struct ConfiguredFiles {
    let loaded: LoadedSettings

    struct Finding {
        let error: SettingsError
        /// It may be right for the user that the agent runs as, or later.
        let isWarning: Bool

        var description: String { isWarning ? "\(error) (warning)" : "\(error)" }
    }

    func findings() -> [Finding] {
        let mqtt = loaded.settings.mqtt
        let dashboard = loaded.settings.dashboard
        return [
            file("mqtt.password_file", mqtt.passwordFile) { PasswordFile(path: $0).isOpenToOthers($1) },
            file("mqtt.tls_ca", mqtt.tls.authorityFile),
            file("mqtt.tls_cert", mqtt.tls.certificateFile),
            file("mqtt.tls_key", mqtt.tls.keyFile) { TextFile.isOpenToAll($1) },
            file("dashboard.token_file", dashboard.tokenFile) { PasswordFile(path: $0).isOpenToOthers($1) },
            file("dashboard.tls_cert", dashboard.certificateFile),
            file("dashboard.tls_key", dashboard.keyFile) { TextFile.isOpenToAll($1) },
            root(loaded.settings.magnetometer.iioRoot),
        ].compactMap { $0 }
    }

    private func file(
        _ name: String, _ path: String?, isOpenToOthers: (String, mode_t) -> Bool = { _, _ in false }
    ) -> Finding? {
        guard let path else { return nil }
        if Credential(path) != nil {
            return finding(
                name, path, "cannot be seen here", "LoadCredential= or the like in the service",
                isWarning: true)
        }
        var status = stat()
        do throws(Errno) {
            try Errno.check { stat(path, &status) }
            if let fault = TextFile.kindFault(status.st_mode) { return finding(name, path, fault, "a file") }
            if isOpenToOthers(path, status.st_mode) {
                return finding(name, path, "can be read by others", "chmod 600 \(path)")
            }
            if status.st_size == 0 { return finding(name, path, "is empty", "a file with something in it") }
            try Errno.check { access(path, R_OK) }
            return nil
        } catch {
            return finding(
                name, path, "cannot be read (\(error))", "a file that can be read",
                isWarning: error == Errno(EACCES))
        }
    }

    private func root(_ path: String) -> Finding? {
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else { return nil }
        return finding("magnetometer.iio_root", path, "is not there", "a directory", isWarning: true)
    }

    private func finding(
        _ name: String, _ path: String, _ reason: String, _ allowed: String, isWarning: Bool = false
    ) -> Finding {
        let name = SettingName(name)
        let error = SettingsError(
            file: loaded.file ?? "defaults", line: loaded.lines[name], section: name.section, key: name.key,
            value: path,
            reason: reason, allowed: allowed)
        return Finding(error: error, isWarning: isWarning)
    }
}
