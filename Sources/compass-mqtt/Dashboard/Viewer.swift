import Glibc
import HeadingPipeline

/// One browser that looks on: sends what it has not seen, and is dropped when it does not read.
final class Viewer: HTTPStream {
    var link: HTTPLink?
    /// Since when it has been too slow to take what there is; `nil`: it keeps up.
    private var behindSince: Instant?
    private var feed: ViewerFeed
    private var pending: ArraySlice<UInt8> = []
    let address: PeerAddress
    private unowned let board: DashboardState

    /// Bytes on the way. What would wait behind more is left out, and the newest sent when they are gone.
    private static let mostUnread = 8 * 1024
    /// As long as it may be behind.
    static let patience = Interval.seconds(10)

    init(base: String?, at address: PeerAddress, _ board: DashboardState) {
        feed = ViewerFeed(base: base)
        self.address = address
        self.board = board
    }

    /// Wakes it where there is news. False: it has not read for too long.
    func look(at now: Instant) -> Bool {
        guard let link, !link.isCut else { return true }
        guard link.isAsleep, link.unreadCount <= Self.mostUnread else {
            behindSince = behindSince ?? now
            return now - (behindSince ?? now) < Self.patience
        }
        behindSince = nil
        if board.isStopping || feed.hasNews(board.store, board.surroundings, at: now) { link.wake() }
        return true
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if board.isStopping || link?.isLeft ?? true { return -1 }
        if pending.isEmpty, link?.unreadCount ?? 0 <= Self.mostUnread {
            var bytes: [UInt8] = []
            let now = SystemClock.now()
            if feed.hasNews(board.store, board.surroundings, at: now) {
                feed.append(
                    to: &bytes, board.store, board.surroundings, welcome: board.welcome, at: now,
                    wallTime: SystemClock.wallTime())
            }
            pending = bytes[...]
        }
        let part = pending.prefix(buffer.count)
        buffer.copyBytes(from: part)
        pending = pending.dropFirst(part.count)
        return part.count
    }

    func ended() { board.left(self) }
}
