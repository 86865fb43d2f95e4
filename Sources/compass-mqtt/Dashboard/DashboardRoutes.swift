import HeadingPipeline

/// What each address of the dashboard answers.
final class DashboardRoutes {
    private let access: DashboardAccess
    private let state: DashboardState
    private let isEncrypted: Bool
    private let send: (VesselCommand) -> CommandOutcome
    private let takesCommands: Bool

    enum CommandOutcome {
        case sent
        case noBroker
        /// The vessel is not known, or takes none.
        case notTaken
    }

    init(
        _ access: DashboardAccess, _ state: DashboardState, _ settings: Settings.Dashboard,
        send: @escaping (VesselCommand) -> CommandOutcome
    ) {
        self.access = access
        self.state = state
        self.send = send
        isEncrypted = settings.certificateFile != nil
        takesCommands = settings.takesCommands
    }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        var response = answer(request)
        for (name, value) in Self.protection { response = response.adding(name, value) }
        return response
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        if let refusal = access.refusal(of: request) { return .text(403, refusal.rawValue) }
        switch (request.method, request.path) {
        case ("GET", "/"), ("HEAD", "/"): return index(request)
        case ("POST", "/login"): return login(request)
        case ("GET", "/events"): return admitted(request) { events(request) }
        case ("POST", "/command"): return admitted(request) { command(request) }
        case ("GET", let path), ("HEAD", let path):
            return PageFile.named(path).map(\.response) ?? .text(404, "not found")
        default: return .text(405, "not allowed").adding("Allow", "GET, HEAD")
        }
    }

    private func admitted(_ request: HTTPRequest, _ answer: () -> HTTPResponse) -> HTTPResponse {
        switch access.verdict(on: request) {
        case .granted: answer()
        case .unknown: .text(401, "the token is needed")
        case .lockedOut: .text(429, "too many wrong tokens, wait a minute")
        }
    }

    private func index(_ request: HTTPRequest) -> HTTPResponse {
        switch access.verdict(on: request) {
        case .granted: PageFile.index.response
        // A cookie that opens nothing would count as a guess each time that it comes.
        case .unknown where DashboardAccess.cookie(of: request) != nil:
            loginPage(.first).adding("Set-Cookie", TokenCookie.removal)
        case .unknown: loginPage(.first)
        case .lockedOut: loginPage(.lockedOut)
        }
    }

    private func login(_ request: HTTPRequest) -> HTTPResponse {
        let field = Array("token=".utf8)
        guard request.body.starts(with: field) else { return .text(400, "no token") }
        let guess = Array(request.body.dropFirst(field.count))
        switch access.verdict(on: guess, in: request) {
        case .granted:
            let token = String(decoding: guess, as: UTF8.self)
            return .redirect(to: "/")
                .adding("Set-Cookie", TokenCookie.text(token, isSecure: isEncrypted))
        case .unknown: return loginPage(.wrong)
        case .lockedOut: return loginPage(.lockedOut)
        }
    }

    private func loginPage(_ notice: PageFile.LoginNotice) -> HTTPResponse {
        .page(
            PageFile.login(notice), type: "text/html; charset=utf-8", status: notice == .lockedOut ? 429 : 401
        )
    }

    private func events(_ request: HTTPRequest) -> HTTPResponse {
        let client = access.client(of: request)
        guard state.hasRoom(for: client, isForMany: access.isProxy(client)) else {
            return .text(503, "too many viewers")
        }
        let viewer = state.newViewer(base: request.argument("vessel"), at: client)
        return HTTPResponse(
            status: 200, headers: [("Content-Type", "text/event-stream; charset=utf-8")],
            body: .stream(viewer))
    }

    private func command(_ request: HTTPRequest) -> HTTPResponse {
        guard takesCommands else { return .text(403, "commands are off in this dashboard's settings") }
        // A type that a form of another site cannot send.
        guard request.header("Content-Type") == "application/json" else { return .text(415, "no JSON") }
        do throws(CommandFault) { return tell(try VesselCommand(request.body)) } catch {
            return .text(400, error.reason)
        }
    }

    private func tell(_ command: VesselCommand) -> HTTPResponse {
        switch send(command) {
        case .sent: return .text(202, "sent")
        case .noBroker: return .text(503, "no connection to the broker")
        case .notTaken: return .text(409, "this vessel takes no commands")
        }
    }

    /// With every answer. `style` attributes and inline scripts are not run, whatever gets into the page.
    private static let protection = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ]
}
