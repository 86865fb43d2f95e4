/// A secret that systemd hands to the service under a name (systemd.exec(5), `LoadCredential=`), written
/// `credential:NAME` where a setting names a file.
package struct Credential: Equatable, Sendable {
    package static let prefix = "credential:"

    let name: String

    /// `nil` for what is none, or has a name that could lead out of the folder of credentials.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        name = String(text.dropFirst(Self.prefix.count))
        let isNamed = name.unicodeScalars.contains { $0 != "." }
        guard isNamed, name.utf8.count <= 255, name.unicodeScalars.allSatisfy(Self.isAllowed) else {
            return nil
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "._-@".unicodeScalars.contains(scalar))
    }
}

extension Settings {
    /// The same with the credentials as files of the folder that systemd has put them into.
    package func withCredentials(in folder: String) -> Settings {
        var settings = self
        for file in Self.files {
            guard let credential = self[keyPath: file].flatMap(Credential.init) else { continue }
            settings[keyPath: file] = folder + "/" + credential.name
        }
        return settings
    }

    private static var files: [WritableKeyPath<Settings, String?>] {
        [
            \.mqtt.passwordFile, \.mqtt.tls.authorityFile, \.mqtt.tls.certificateFile, \.mqtt.tls.keyFile,
            \.dashboard.tokenFile, \.dashboard.certificateFile, \.dashboard.keyFile,
        ]
    }
}
