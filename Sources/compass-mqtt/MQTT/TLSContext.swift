import COpenSSL
import Glibc
import HeadingPipeline

/// How the agent trusts the broker and shows itself to it: one OpenSSL context a connection, made anew each
/// time so that renewed files are taken up. It is ours and not libmosquitto's, because only so can the four
/// kinds of bad certificate be told apart and the certificate be checked against a name of its own
/// (docs/decisions/certificates.md).
final class TLSContext {
    let context: OpaquePointer
    /// The name or address that the broker's certificate must bear.
    let expectedName: String
    /// What was wrong with the broker's certificate, once it has been seen.
    private(set) var certificateFault: String?

    init(_ settings: Settings.Tls, host: String) throws(SessionFault) {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw .certificate("cannot set up TLS: \(TLSContext.lastLibraryError())")
        }
        self.context = context
        expectedName = settings.serverName ?? host
        serverName = Endpoint.isAddress(expectedName) ? nil : expectedName
        ssl_context_require_tls12(context)
        ssl_context_set_owner(context, Unmanaged.passUnretained(self).toOpaque())
        // Never ask for a passphrase on the terminal.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
        SSL_CTX_set_info_callback(context, nameServerAtHandshakeStart)
        try loadAuthorities(settings.authorityFile)
        try loadOwnCertificate(settings)
        try setVerification(settings)
    }

    deinit { SSL_CTX_free(context) }

    /// What the handshake asks for; an address is no server name (RFC 6066, section 3).
    fileprivate let serverName: String?

    fileprivate func certificateWasRefused(_ store: OpaquePointer) {
        if certificateFault == nil { certificateFault = describeRefusal(store) }
    }
}

// Setting up. Whatever cannot be done as the settings say throws: nothing falls back to something weaker.
extension TLSContext {
    private func loadAuthorities(_ file: String?) throws(SessionFault) {
        guard let file else {
            if SSL_CTX_set_default_verify_paths(context) == 1 { return }
            throw .certificate("cannot read the system's authorities: \(TLSContext.lastLibraryError())")
        }
        if SSL_CTX_load_verify_file(context, file) != 1 {
            throw .settings("mqtt.tls_ca: cannot use \(file): \(TLSContext.lastLibraryError())")
        }
    }

    private func loadOwnCertificate(_ settings: Settings.Tls) throws(SessionFault) {
        guard let certificate = settings.certificateFile else { return }
        if SSL_CTX_use_certificate_chain_file(context, certificate) != 1 {
            throw .settings("mqtt.tls_cert: cannot use \(certificate): \(TLSContext.lastLibraryError())")
        }
        let key = settings.keyFile ?? certificate
        if SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1 {
            throw .settings("mqtt.tls_key: cannot use \(key): \(TLSContext.lastLibraryError())")
        }
    }

    private func setVerification(_ settings: Settings.Tls) throws(SessionFault) {
        if settings.isInsecure {
            SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
            return
        }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, noteRefusedCertificate)
        let parameters = SSL_CTX_get0_param(context)
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        let isSet =
            serverName == nil
            ? X509_VERIFY_PARAM_set1_ip_asc(parameters, expectedName)
            : X509_VERIFY_PARAM_set1_host(parameters, expectedName, expectedName.utf8.count)
        if isSet != 1 { throw .settings("mqtt.tls_server_name: cannot check for \(expectedName)") }
    }

    /// The reason of OpenSSL's oldest error on this thread; forgets the others.
    private static func lastLibraryError() -> String {
        defer { ERR_clear_error() }
        let code = ERR_get_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return "unknown error" }
        return String(cString: reason)
    }
}

// What is wrong with a certificate, in words that tell what to do.
extension TLSContext {
    private func describeRefusal(_ store: OpaquePointer) -> String {
        let certificate = X509_STORE_CTX_get_current_cert(store)
        let code = X509_STORE_CTX_get_error(store)
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return "the broker's certificate expired on \(date(X509_get0_notAfter(certificate)))"
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return "the broker's certificate is valid from \(date(X509_get0_notBefore(certificate))) only: "
                + "is this machine's clock right?"
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            return "the broker's certificate is self-signed: name it as mqtt.tls_ca to trust it"
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            let owner = name(X509_get_subject_name(certificate))
            return
                "the broker's certificate is not for \(expectedName) but for \(owner) (mqtt.tls_server_name)"
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
            X509_V_ERR_CERT_SIGNATURE_FAILURE:
            let issuer = name(X509_get_issuer_name(certificate))
            return
                "the broker's certificate is from an authority that is not trusted: \(issuer) (mqtt.tls_ca)"
        default:
            return
                "the broker's certificate is refused: \(String(cString: X509_verify_cert_error_string(Int(code))))"
        }
    }

    private func name(_ name: OpaquePointer?) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let name, let text = X509_NAME_oneline(name, buffer.baseAddress, 256) else { return "?" }
            return String(cString: text)
        }
    }

    private func date(_ time: UnsafePointer<ASN1_TIME>?) -> String {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return "?" }
        let digits = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map {
            $0 < 10 ? "0\($0)" : "\($0)"
        }
        return digits.joined(separator: "-")
    }
}

/// OpenSSL asks for each certificate of the chain whether what it found may pass.
private func noteRefusedCertificate(_ isGood: Int32, _ store: OpaquePointer?) -> Int32 {
    guard isGood != 1, let store else { return isGood }
    let connection = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
    if let connection, let owner = ssl_owner(OpaquePointer(connection)) {
        Unmanaged<TLSContext>.fromOpaque(owner).takeUnretainedValue().certificateWasRefused(store)
    }
    return 0
}

/// libmosquitto asks for the certificate of the address it connects to; what we want is that of the name.
private func nameServerAtHandshakeStart(_ connection: OpaquePointer?, _ event: Int32, _ value: Int32) {
    guard event == SSL_CB_HANDSHAKE_START, let connection, let owner = ssl_owner(connection) else { return }
    let context = Unmanaged<TLSContext>.fromOpaque(owner).takeUnretainedValue()
    ssl_set_server_name(connection, context.serverName)
}
