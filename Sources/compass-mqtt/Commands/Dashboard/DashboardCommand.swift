import Glibc
import HeadingPipeline

/// `dashboard`: serves the topics as a page of instruments until it is told to stop.
enum DashboardCommand {
    static func run(_ settings: Settings) -> ExitStatus {
        do throws(Errno) {
            // Before any thread starts, so that none of them takes a signal.
            let signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
            let link = try BrokerLink(settings)
            let state = DashboardState(link.topics, settings: settings)
            guard let http = server(settings.dashboard, link, state) else { return .failed }
            announce(settings.dashboard)
            return try DashboardServer(signals, link, state, http).run()
        } catch {
            Log.error("cannot start: \(error.description)")
            return .failed
        }
    }

    /// `nil`: it cannot be had, which is said.
    private static func server(
        _ settings: Settings.Dashboard, _ link: BrokerLink, _ state: DashboardState
    ) -> HTTPServer? {
        do {
            let access = try DashboardAccess(settings)
            let routes = DashboardRoutes(access, state, settings) { link.send($0, in: state.store) }
            let server = try HTTPServer(
                HTTPLibrary(), listener: listener(settings), encryption: DashboardFiles.encryption(settings),
                connections: ConnectionShare(
                    of: settings.mostViewers + spareConnections, isForMany: access.isProxy)
            ) { routes.respond(to: $0) }
            guard server.isRunning else {
                throw HTTPFault.refused(
                    "libmicrohttpd does not start"
                        + (settings.keyFile == nil ? "" : ": are dashboard.tls_cert and tls_key good?"))
            }
            return server
        } catch {
            Log.error("dashboard: \(error)")
            return nil
        }
    }

    /// For the files of the page, commands, and those who are told that there is no place.
    private static let spareConnections = 100

    private static func listener(_ settings: Settings.Dashboard) throws -> Descriptor {
        do throws(Errno) {
            let places = try? SocketAddress.resolve(host: settings.listen, port: settings.port)
            guard let place = places?.first else { throw Errno(EADDRNOTAVAIL) }
            return try TcpListener.listen(on: place)
        } catch {
            throw HTTPFault.refused("cannot listen on \(settings.listen), port \(settings.port): \(error)")
        }
    }

    private static func announce(_ settings: Settings.Dashboard) {
        let isEncrypted = settings.certificateFile != nil
        let host = settings.listen.contains(":") ? "[\(settings.listen)]" : settings.listen
        Log.info("dashboard: \(isEncrypted ? "https" : "http")://\(host):\(settings.port)/")
        guard !isEncrypted, !NumericAddress.isLoopback(settings.listen) else { return }
        Log.warning(
            "dashboard: not encrypted: who is on the way reads along and learns the token. "
                + "Set dashboard.tls_cert, or listen on 127.0.0.1 behind a proxy with https")
    }
}
