import Glibc
import HeadingPipeline

/// The dashboard at work: the session's thread puts in what the broker sends; this thread serves the browsers,
/// until a signal ends it.
final class DashboardServer {
    private let signals: SignalDescriptor
    private let service = ServiceManager()
    private let link: BrokerLink
    private let state: DashboardState
    private let http: HTTPServer
    private var pace: DeliveryPace
    private var nextWatchdog: Instant

    init(
        _ signals: consuming SignalDescriptor, _ link: BrokerLink, _ state: DashboardState, _ http: HTTPServer
    ) {
        self.signals = signals
        self.link = link
        self.state = state
        self.http = http
        let now = SystemClock.now()
        pace = DeliveryPace(startingAt: now)
        nextWatchdog = now
    }

    func run() throws(Errno) -> ExitStatus {
        try link.session.start()
        service.ready("running")
        while true {
            wait()
            if signals.tellToEnd() { break }
            turn(at: SystemClock.now())
        }
        stop()
        return .done
    }

    private func wait() {
        let now = SystemClock.now()
        let limit = min(pace.due, http.deadline(from: now) ?? pace.due)
        DescriptorWait.untilReadable(
            [signals.descriptor.number, http.descriptor, link.topics.descriptor(isAwaited: !pace.hasNews)],
            until: limit)
    }

    private func turn(at now: Instant) {
        if link.topics.takeWakeup() { pace.newsCame(at: now) }
        if now >= pace.due {
            link.look(at: now)
            state.deliver(link.surroundings, at: now)
            pace.delivered(at: now)
            feedWatchdog(at: now)
        }
        http.turn()
    }

    private func feedWatchdog(at now: Instant) {
        guard let interval = service.watchdogInterval, now >= nextWatchdog, link.session.isAlive(at: now)
        else { return }
        service.feedWatchdog()
        nextWatchdog = now + interval * 0.5
    }

    /// The viewers' streams end, then the server, then the session.
    private func stop() {
        service.stopping()
        let limit = SystemClock.now() + .seconds(1)
        while state.viewerCount > 0, SystemClock.now() < limit {
            state.stop(at: SystemClock.now())
            http.turn()
            DescriptorWait.untilReadable(http.descriptor, until: SystemClock.now() + .milliseconds(5))
        }
        if state.viewerCount == 0 { http.stop() }
        _ = link.session.stop(within: .seconds(1))
    }
}
