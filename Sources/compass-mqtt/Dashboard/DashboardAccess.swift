import Glibc
import HeadingPipeline

/// Who may look on: requests of the page's own, from whoever knows the token where there is one.
final class DashboardAccess {
    enum Verdict {
        case granted
        /// The token is missing or wrong.
        case unknown
        /// Too many wrong tokens came from there.
        case lockedOut
    }

    private let requestGuard: RequestGuard
    private let token: AccessToken?
    private var limiter = GuessLimiter<PeerAddress>()
    private let forwardedFor: ForwardedFor

    init(_ settings: Settings.Dashboard) throws(SettingsError) {
        forwardedFor = ForwardedFor(proxies: settings.proxies)
        requestGuard = RequestGuard(names: settings.hosts + Self.ownNames)
        token = try DashboardToken.token(settings)
    }

    func refusal(of request: HTTPRequest) -> RequestGuard.Refusal? {
        requestGuard.refusal(
            host: request.header("Host"), origin: request.header("Origin"),
            site: request.header("Sec-Fetch-Site"),
            isNavigation: request.method == "GET" && request.header("Sec-Fetch-Mode") == "navigate",
            changes: request.method != "GET" && request.method != "HEAD")
    }

    /// Who asks, behind whatever proxies of the operator's.
    func client(of request: HTTPRequest) -> PeerAddress {
        forwardedFor.client(of: request.peer) { request.headers("X-Forwarded-For") }
    }

    /// Whether an address stands for more than one machine.
    func isProxy(_ address: PeerAddress) -> Bool { forwardedFor.isProxy(address) }

    /// By the cookie.
    func verdict(on request: HTTPRequest) -> Verdict {
        verdict(on: Self.cookie(of: request).map { Array($0.utf8) }, in: request)
    }

    /// The cookie, right or wrong.
    static func cookie(of request: HTTPRequest) -> Substring? {
        request.header("Cookie").flatMap(TokenCookie.value)
    }

    /// `guess`: `nil` where none was made.
    func verdict(on guess: [UInt8]?, in request: HTTPRequest) -> Verdict {
        guard let token else { return .granted }
        guard let guess else { return .unknown }
        let now = SystemClock.now()
        let address = client(of: request).network
        if limiter.isLockedOut(address, at: now) { return .lockedOut }
        if token.matches(guess) { return .granted }
        limiter.wrongGuess(from: address, at: now)
        return .unknown
    }

    private static var ownNames: [String] {
        let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, gethostname(start, buffer.count) == 0 else { return "" }
            buffer[255] = 0
            return String(cString: start)
        }
        return name.isEmpty ? [] : [name, name + ".local"]
    }
}
