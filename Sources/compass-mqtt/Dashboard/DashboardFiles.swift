import Glibc
import HeadingPipeline

/// The files that the settings of the dashboard name, read at start.
enum DashboardFiles {
    private static let largest = 256 * 1024

    /// `nil`: not encrypted.
    static func encryption(_ settings: Settings.Dashboard) throws(HTTPFault) -> HTTPServer.Encryption? {
        guard let certificate = settings.certificateFile, let key = settings.keyFile else { return nil }
        return HTTPServer.Encryption(
            certificate: try text("tls_cert", certificate, TextFile.kindFault),
            key: try text("tls_key", key, keyFault))
    }

    private static func text(
        _ key: String, _ path: String, _ modeFault: (mode_t) -> String?
    ) throws(HTTPFault) -> [CChar] {
        do throws(TextFile.Fault) {
            let bytes = try TextFile.read(path, upTo: largest, modeFault: modeFault)
            return bytes.map { CChar(bitPattern: $0) } + [0]
        } catch { throw .refused("dashboard.\(key): cannot use \(path): \(error)") }
    }

    private static func keyFault(_ mode: mode_t) -> String? {
        TextFile.kindFault(mode)
            ?? (TextFile.isOpenToAll(mode) ? "others can read it: run chmod 600 on it" : nil)
    }
}
