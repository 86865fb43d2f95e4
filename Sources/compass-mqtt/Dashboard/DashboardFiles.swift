import HeadingPipeline

/// The files that the settings of the dashboard name, read at start.
enum DashboardFiles {
    private static let largest = 256 * 1024

    /// `nil`: not encrypted.
    static func encryption(_ settings: Settings.Dashboard) throws(HTTPFault) -> HTTPServer.Encryption? {
        guard let certificate = settings.certificateFile, let key = settings.keyFile else { return nil }
        return HTTPServer.Encryption(certificate: try text(certificate), key: try text(key))
    }

    private static func text(_ path: String) throws(HTTPFault) -> [CChar] {
        do throws(TextFile.Fault) {
            return try TextFile.read(path, upTo: largest).map { CChar(bitPattern: $0) } + [0]
        } catch { throw .refused("cannot read \(path): \(error)") }
    }
}
