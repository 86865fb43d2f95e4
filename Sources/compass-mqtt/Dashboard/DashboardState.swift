import HeadingPipeline

/// What the viewers look at, on the dashboard's thread: the topics as they were when it last looked, how the
/// broker stands, and who looks on.
final class DashboardState {
    private(set) var store: TopicStore
    private(set) var surroundings = ViewerFeed.Surroundings()
    private(set) var isStopping = false
    /// What a page has to know of the settings, as JSON.
    let welcome: [UInt8]
    private let shared: SharedTopics
    private let mostViewers: Int
    private var isRefusalTold = false
    private var viewers: [ObjectIdentifier: Viewer] = [:]

    init(_ shared: SharedTopics, settings: Settings) {
        self.shared = shared
        store = shared.snapshot
        mostViewers = settings.dashboard.mostViewers
        welcome = Self.welcome(settings)
    }

    var viewerCount: Int { viewers.count }

    func newViewer(base: String?, at address: PeerAddress) -> Viewer {
        let viewer = Viewer(base: base, at: address, self)
        viewers[ObjectIdentifier(viewer)] = viewer
        return viewer
    }

    /// Whether one more has a place. Those who have left without being noticed do not count, and are seen to.
    /// - Parameter isForMany: the address stands for any number of machines.
    func hasRoom(for address: PeerAddress, isForMany: Bool) -> Bool {
        let isLimited = !isForMany && !address.isLoopback
        let most = isLimited ? ConnectionShare.most(of: mostViewers) : mostViewers
        let rivals = viewers.values.filter { !isLimited || $0.address.network == address.network }
        guard viewers.count >= mostViewers || rivals.count >= most else { return true }
        let gone = viewers.values.filter { $0.link?.isLeft ?? true }
        for viewer in gone { viewer.link?.wake() }
        let rivalsGone = gone.count { !isLimited || $0.address.network == address.network }
        return viewers.count - gone.count < mostViewers && rivals.count - rivalsGone < most
    }

    func left(_ viewer: Viewer) { viewers[ObjectIdentifier(viewer)] = nil }

    /// Takes in what is new, and wakes whoever has not seen it.
    func deliver(_ surroundings: ViewerFeed.Surroundings, at now: Instant) {
        store = shared.snapshot
        self.surroundings = surroundings
        tellRefused()
        for viewer in viewers.values where !viewer.look(at: now) {
            Log.debug("dashboard: a viewer that does not read is dropped")
            viewer.link?.cut()
        }
    }

    private func tellRefused() {
        guard store.refused > 0, !isRefusalTold else { return }
        isRefusalTold = true
        Log.warning(
            "dashboard: not all is shown: only \(TopicStore.mostVessels) vessels at a time, "
                + "and no topic of more than \(TopicStore.longestPayload) bytes")
    }

    /// The viewers' connections end as soon as they are looked at.
    func stop(at now: Instant) {
        isStopping = true
        for viewer in viewers.values { _ = viewer.look(at: now) }
    }

    private static func welcome(_ settings: Settings) -> [UInt8] {
        var writer = PayloadWriter()
        writer.begin()
        writer.text("version", Version.number)
        writer.flag("commands", settings.dashboard.takesCommands)
        writer.number("full_scale", settings.dashboard.fullScale, places: 1)
        writer.text("speed_unit", settings.units.speed.rawValue)
        writer.text("distance_unit", settings.units.distance.rawValue)
        writer.number("stale_after", settings.dashboard.staleAfter.seconds, places: 1)
        writer.end()
        return writer.bytes
    }
}
