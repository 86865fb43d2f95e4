import Glibc
import HeadingPipeline

/// How the agent trusts the broker and shows itself to it: one OpenSSL context a connection, made anew each
/// time so that renewed files are taken up. It is ours and not libmosquitto's, because only so can the kinds
/// of bad certificate be told apart and the certificate be checked against a name of its own
/// (docs/decisions/0006-certificates.md).
final class TLSContext {
    let context: OpaquePointer
    /// What was wrong with the broker's certificate, once it has been seen.
    private(set) var certificateFault: String?

    private let library: OpenSSL
    /// The name or address that the broker's certificate must bear.
    private let expectedName: String
    /// What the handshake asks for; an address is no server name (RFC 6066, section 3).
    fileprivate let serverName: String?

    init(_ settings: Settings.Tls, host: String) throws(SessionFault) {
        library = try OpenSSL()
        guard let context = library.newContext(library.clientMethod()) else {
            throw .certificate("cannot set up TLS: \(library.takeError())")
        }
        self.context = context
        expectedName = settings.serverName ?? host
        serverName = SocketAddress.isNumeric(expectedName) ? nil : expectedName
        library.requireTLS12(context)
        let owner = Unmanaged.passUnretained(self).toOpaque()
        _ = library.setContextData(context, 0, owner)
        library.setInfoCallback(context, handshakeCallback)
        library.setPassphraseCallback(context, passphraseCallback)
        try loadAuthorities(settings.authorityFile)
        try loadOwnCertificate(settings)
        try setVerification(settings)
    }

    deinit { library.freeContext(context) }
}

// Setting up. Whatever cannot be done as the settings say throws: nothing falls back to something weaker.
extension TLSContext {
    private func loadAuthorities(_ file: String?) throws(SessionFault) {
        if let file {
            if library.useAuthorities(context, file, nil) == 1 { return }
            throw .settings("mqtt.tls_ca: cannot use \(file): \(library.takeError())")
        }
        if library.useSystemAuthorities(context) == 1 { return }
        throw .certificate("cannot use the system's authorities: \(library.takeError())")
    }

    private func loadOwnCertificate(_ settings: Settings.Tls) throws(SessionFault) {
        guard let certificate = settings.certificateFile else { return }
        if library.useCertificateChain(context, certificate) != 1 {
            throw .settings("mqtt.tls_cert: cannot use \(certificate): \(library.takeError())")
        }
        let key = settings.keyFile ?? certificate
        if library.usePrivateKey(context, key, OpenSSL.pemFile) != 1 {
            throw .settings("mqtt.tls_key: cannot use \(key): \(library.takeError())")
        }
    }

    private func setVerification(_ settings: Settings.Tls) throws(SessionFault) {
        if settings.isInsecure {
            library.setVerifyMode(context, OpenSSL.verifyNone, nil)
            return
        }
        library.setVerifyMode(context, OpenSSL.verifyPeer, nil)
        library.setVerifyCallback(context, verifyCallback, Unmanaged.passUnretained(self).toOpaque())
        let parameters = library.parameters(context)
        library.setHostFlags(parameters, OpenSSL.noPartialWildcards)
        let isSet =
            serverName == nil
            ? library.setExpectedAddress(parameters, expectedName)
            : library.setExpectedHost(parameters, expectedName, expectedName.utf8.count)
        if isSet != 1 { throw .settings("mqtt.tls_server_name: cannot check for \(expectedName)") }
    }
}

// Looking at the broker's certificate.
extension TLSContext {
    fileprivate func verify(_ store: OpaquePointer) -> Int32 {
        let result = library.verify(store)
        if result != 1 { certificateFault = "the broker's certificate \(describeRefusal(store))" }
        return result
    }

    /// In words that tell what to do.
    private func describeRefusal(_ store: OpaquePointer) -> String {
        let certificate = library.currentCertificate(store)
        let code = library.verifyError(store)
        return switch OpenSSL.Refusal(code) {
        case .expired: "expired on \(date(library.notAfter(certificate)))"
        case .notYetValid:
            "is valid from \(date(library.notBefore(certificate))) only: is this machine's clock right?"
        case .selfSigned: "is self-signed; to trust it name it as mqtt.tls_ca"
        case .untrustedAuthority:
            "comes from an authority that is not trusted (mqtt.tls_ca): \(name(library.issuer(certificate)))"
        case .otherName:
            "is not for \(expectedName) (mqtt.tls_server_name) but for \(name(library.subject(certificate)))"
        case .other:
            "is refused: \(library.verifyErrorText(Int(code)).map { String(cString: $0) } ?? "\(code)")"
        }
    }

    private func name(_ name: OpaquePointer?) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard name != nil, let text = library.oneLine(name, buffer.baseAddress, 256) else { return "?" }
            return String(cString: text)
        }
    }

    private func date(_ time: OpaquePointer?) -> String {
        var parts = tm()
        guard time != nil, library.calendarTime(time, &parts) == 1 else { return "?" }
        return [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    }
}

// At file scope, so that they are isolated to no actor.

private func verifyCallback(_ store: OpaquePointer?, _ owner: UnsafeMutableRawPointer?) -> Int32 {
    guard let store, let owner else { return 0 }
    return Unmanaged<TLSContext>.fromOpaque(owner).takeUnretainedValue().verify(store)
}

/// libmosquitto asks for the certificate of the address it connects to; what we want is that of the name.
private func handshakeCallback(_ connection: OpaquePointer?, _ event: Int32, _ value: Int32) {
    guard event == OpenSSL.handshakeStart, let connection,
        let owner = OpenSSL.contextData(of: connection)
    else { return }
    let context = Unmanaged<TLSContext>.fromOpaque(owner).takeUnretainedValue()
    OpenSSL.setServerName(context.serverName, of: connection)
}

/// A daemon has nobody to ask for a passphrase; OpenSSL would ask the terminal.
private func passphraseCallback(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isForWriting: Int32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 { -1 }
