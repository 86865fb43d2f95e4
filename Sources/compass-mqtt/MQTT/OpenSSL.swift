import Glibc
import HeadingPipeline

/// The functions of OpenSSL that the agent calls, taken from the very library that libmosquitto has loaded: a
/// context made by one OpenSSL must not be handed to another, and so the agent itself is linked with none
/// (docs/decisions/0006-certificates.md). Signatures and numbers as in OpenSSL 3.0 `ssl.h`, `x509.h`, `err.h`.
struct OpenSSL {
    typealias Pointer = OpaquePointer?
    typealias Text = UnsafePointer<CChar>?
    typealias InfoCallback = @convention(c) (Pointer, Int32, Int32) -> Void
    typealias VerifyCallback = @convention(c) (Pointer, UnsafeMutableRawPointer?) -> Int32
    typealias PassphraseCallback =
        @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32

    // The context.
    let clientMethod: @convention(c) () -> Pointer
    let newContext: @convention(c) (Pointer) -> Pointer
    let freeContext: @convention(c) (Pointer) -> Void
    let controlContext: @convention(c) (Pointer, Int32, Int, UnsafeMutableRawPointer?) -> Int
    let setContextData: @convention(c) (Pointer, Int32, UnsafeMutableRawPointer?) -> Int32
    let setInfoCallback: @convention(c) (Pointer, InfoCallback?) -> Void
    let setPassphraseCallback: @convention(c) (Pointer, PassphraseCallback?) -> Void

    // Files.
    let useSystemAuthorities: @convention(c) (Pointer) -> Int32
    let useAuthorities: @convention(c) (Pointer, Text, Text) -> Int32
    let useCertificateChain: @convention(c) (Pointer, Text) -> Int32
    let usePrivateKey: @convention(c) (Pointer, Text, Int32) -> Int32

    // Verification.
    let setVerifyMode: @convention(c) (Pointer, Int32, UnsafeMutableRawPointer?) -> Void
    let setVerifyCallback: @convention(c) (Pointer, VerifyCallback?, UnsafeMutableRawPointer?) -> Void
    let parameters: @convention(c) (Pointer) -> Pointer
    let setHostFlags: @convention(c) (Pointer, UInt32) -> Void
    let setExpectedHost: @convention(c) (Pointer, Text, Int) -> Int32
    let setExpectedAddress: @convention(c) (Pointer, Text) -> Int32
    let verify: @convention(c) (Pointer) -> Int32

    // What was found.
    let verifyError: @convention(c) (Pointer) -> Int32
    let verifyErrorText: @convention(c) (Int) -> Text
    let currentCertificate: @convention(c) (Pointer) -> Pointer
    let subject: @convention(c) (Pointer) -> Pointer
    let issuer: @convention(c) (Pointer) -> Pointer
    let oneLine: @convention(c) (Pointer, UnsafeMutablePointer<CChar>?, Int32) -> UnsafeMutablePointer<CChar>?
    let notBefore: @convention(c) (Pointer) -> Pointer
    let notAfter: @convention(c) (Pointer) -> Pointer
    let calendarTime: @convention(c) (Pointer, UnsafeMutablePointer<tm>?) -> Int32
    let nextError: @convention(c) () -> UInt
    let clearErrors: @convention(c) () -> Void
    let errorReason: @convention(c) (UInt) -> Text

    init() throws(SessionFault) {
        clientMethod = try Self.find("TLS_client_method")
        newContext = try Self.find("SSL_CTX_new")
        freeContext = try Self.find("SSL_CTX_free")
        controlContext = try Self.find("SSL_CTX_ctrl")
        setContextData = try Self.find("SSL_CTX_set_ex_data")
        setInfoCallback = try Self.find("SSL_CTX_set_info_callback")
        setPassphraseCallback = try Self.find("SSL_CTX_set_default_passwd_cb")
        useSystemAuthorities = try Self.find("SSL_CTX_set_default_verify_paths")
        useAuthorities = try Self.find("SSL_CTX_load_verify_locations")
        useCertificateChain = try Self.find("SSL_CTX_use_certificate_chain_file")
        usePrivateKey = try Self.find("SSL_CTX_use_PrivateKey_file")
        setVerifyMode = try Self.find("SSL_CTX_set_verify")
        setVerifyCallback = try Self.find("SSL_CTX_set_cert_verify_callback")
        parameters = try Self.find("SSL_CTX_get0_param")
        setHostFlags = try Self.find("X509_VERIFY_PARAM_set_hostflags")
        setExpectedHost = try Self.find("X509_VERIFY_PARAM_set1_host")
        setExpectedAddress = try Self.find("X509_VERIFY_PARAM_set1_ip_asc")
        verify = try Self.find("X509_verify_cert")
        verifyError = try Self.find("X509_STORE_CTX_get_error")
        verifyErrorText = try Self.find("X509_verify_cert_error_string")
        currentCertificate = try Self.find("X509_STORE_CTX_get_current_cert")
        subject = try Self.find("X509_get_subject_name")
        issuer = try Self.find("X509_get_issuer_name")
        oneLine = try Self.find("X509_NAME_oneline")
        notBefore = try Self.find("X509_get0_notBefore")
        notAfter = try Self.find("X509_get0_notAfter")
        calendarTime = try Self.find("ASN1_TIME_to_tm")
        nextError = try Self.find("ERR_get_error")
        clearErrors = try Self.find("ERR_clear_error")
        errorReason = try Self.find("ERR_reason_error_string")
    }

    /// The oldest error on this thread; forgets the others.
    func takeError() -> String {
        defer { clearErrors() }
        let code = nextError()
        guard code != 0, let reason = errorReason(code) else { return "unknown error" }
        return String(cString: reason)
    }

    /// What `setContextData` left with the context of a connection at index 0.
    static func contextData(of connection: OpaquePointer) -> UnsafeMutableRawPointer? {
        let context: (@convention(c) (Pointer) -> Pointer)? = look("SSL_get_SSL_CTX")
        let data: (@convention(c) (Pointer, Int32) -> UnsafeMutableRawPointer?)? = look("SSL_CTX_get_ex_data")
        return data?(context?(connection), 0)
    }

    /// Sets the name that the handshake asks for; `nil`: none.
    static func setServerName(_ name: String?, of connection: OpaquePointer) {
        let control: (@convention(c) (Pointer, Int32, Int, UnsafeRawPointer?) -> Int)? = look("SSL_ctrl")
        let setHostName: Int32 = 55
        if let name {
            name.withCString { _ = control?(connection, setHostName, 0, $0) }
        } else {
            _ = control?(connection, setHostName, 0, nil)
        }
    }

    private static func find<Function>(_ name: String) throws(SessionFault) -> Function {
        guard let function: Function = look(name) else {
            throw .settings("mqtt.tls: this libmosquitto has no TLS (\(name) is missing)")
        }
        return function
    }

    private static func look<Function>(_ name: String) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
    }
}

// The numbers behind OpenSSL's macros.
extension OpenSSL {
    /// SSL_EVENT: the handshake is about to send its first message.
    static let handshakeStart: Int32 = 0x10
    static let verifyNone: Int32 = 0
    static let verifyPeer: Int32 = 1
    static let pemFile: Int32 = 1
    /// X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS: `*.example`, but not `b*.example`.
    static let noPartialWildcards: UInt32 = 4

    func requireTLS12(_ context: OpaquePointer) {
        let setMinimumVersion: Int32 = 123
        _ = controlContext(context, setMinimumVersion, 0x0303, nil)
    }

    /// Why a certificate is not accepted: X509_V_ERR_...
    enum Refusal {
        case expired, notYetValid, selfSigned, untrustedAuthority, otherName, other

        init(_ code: Int32) {
            switch code {
            case 9: self = .notYetValid
            case 10: self = .expired
            case 18: self = .selfSigned
            // No issuer found, issuer not trusted, or one of the same name with another key.
            case 2, 7, 19, 20, 21: self = .untrustedAuthority
            case 62, 64: self = .otherName
            default: self = .other
            }
        }
    }
}
