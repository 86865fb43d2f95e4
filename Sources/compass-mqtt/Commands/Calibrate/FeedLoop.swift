import CLinux
import Glibc
import HeadingPipeline

/// Takes a feed's readings until what is learned is complete, the person at the terminal presses Enter or Ctrl-C, or
/// the time is over.
struct FeedLoop: ~Copyable {
    enum End { case complete, enough, abandoned }

    private let feed: any ReadingFeed
    private let limit: Interval
    private let signals: SignalDescriptor
    private var batch: [Reading]

    /// Between looks at what is learned.
    private static let pace = Interval.milliseconds(500)

    init(_ feed: any ReadingFeed, limit: Interval) throws(FeedFault) {
        // First: Swift 6.0 cannot take a half-made value of this kind apart again.
        signals = try Self.openSignals()
        self.feed = feed
        self.limit = limit
        batch = []
    }

    /// To be called before a feed starts threads, one of which would else take the signal and end the process.
    static func holdSignals() throws(FeedFault) { _ = try openSignals() }

    private static func openSignals() throws(FeedFault) -> SignalDescriptor {
        do throws(Errno) {
            return try SignalDescriptor([SIGINT, SIGTERM])
        } catch {
            throw FeedFault("signals: \(error)")
        }
    }

    mutating func run(
        take: (Reading) -> Void, look: (_ elapsed: Interval) -> Bool
    ) throws(FeedFault) -> End {
        let start = SystemClock.now()
        var nextLook = start + Self.pace
        while true {
            let deadline = min(nextLook, start + limit)
            DescriptorWait.untilReadable(
                [feed.descriptor, signals.descriptor.number, Self.keyboard], until: deadline)
            if signals.next() != nil { return .abandoned }
            try feed.take(into: &batch)
            for reading in batch { take(reading) }
            let now = SystemClock.now()
            if now >= nextLook {
                nextLook = now + Self.pace
                if look(now - start) { return .complete }
            }
            if now >= start + limit || Self.isEnterPressed() { return .enough }
        }
    }

    static func abandon() -> ExitStatus {
        StandardStream.error.writeLine("compass-mqtt: given up; nothing is changed")
        return .failed
    }

    /// -1, which nobody waits for, where no person sits at it.
    private static var keyboard: Int32 { isatty(0) == 1 ? 0 : -1 }

    private static func isEnterPressed() -> Bool {
        var entry = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return false }
        _ = readLine()
        return true
    }
}
