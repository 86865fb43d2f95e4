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
    private var limiter = GuessLimiter()

    init(_ settings: Settings.Dashboard) throws(SettingsError) {
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

    /// By the cookie.
    func verdict(on request: HTTPRequest) -> Verdict {
        let cookie = request.header("Cookie").flatMap(TokenCookie.value)
        return verdict(on: cookie.map { Array($0.utf8) }, from: request.address)
    }

    /// `guess`: `nil` where none was made.
    func verdict(on guess: [UInt8]?, from address: String) -> Verdict {
        guard let token else { return .granted }
        guard let guess else { return .unknown }
        let now = SystemClock.now()
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
