import CLinux
import Glibc
import HeadingPipeline
import Synchronization

/// A thing that gives readings: a sensor, gpsd, the simulated vessel. It opens its device, reads, closes and
/// opens again for as long as the agent runs, on a thread of its own, so that a device that hangs stops
/// nothing else. It never gives up and never throws: what goes wrong is delivered as a reading
/// (`lost`, `refused`).
protocol ReadingSource: Sendable {
    /// Returns when `line.isStopping`.
    func run(_ line: SourceLine)
}

/// Where a source's readings go.
protocol ReadingSink: Sendable {
    /// Called on the source's own thread; returns within microseconds.
    func take(_ reading: Reading)
}

/// A source's way to the agent: where its readings go, how it sleeps, and its proof of being alive.
final class SourceLine: Sendable {
    private let sink: any ReadingSink
    private let stop: Wakeup
    private let stopping = Atomic<Bool>(false)
    private let aliveUntil = Atomic<Int64>(.max)

    init(sink: any ReadingSink) throws(Errno) {
        self.sink = sink
        stop = try Wakeup()
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func requestStop() {
        stopping.store(true, ordering: .relaxed)
        stop.signal()
    }

    func deliver(_ content: Reading.Content, at instant: Instant = SystemClock.now()) {
        sink.take(Reading(at: instant, content))
    }

    /// Promises to be back within `limit`; the watchdog holds the source to it.
    func expectProgress(within limit: Interval) { expectProgress(by: SystemClock.now() + limit) }

    private func expectProgress(by limit: Instant) { aliveUntil.store(limit.nanoseconds, ordering: .relaxed) }

    func isAlive(at now: Instant) -> Bool { now.nanoseconds <= aliveUntil.load(ordering: .relaxed) }

    /// Less than the kernel's timer slack of 50 µs.
    static let shortestSleep = Interval(nanoseconds: 20_000)

    enum Wake { case readable, timeout, stopping }

    /// Sleeps until `deadline`, until the descriptor has something, or until the agent stops.
    func wait(until deadline: Instant, readable descriptor: Int32? = nil, writable: Bool = false) -> Wake {
        var now = SystemClock.now()
        expectProgress(by: max(deadline, now) + .seconds(30))
        var entries = (
            pollfd(fd: stop.descriptor.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor ?? -1, events: Int16(writable ? POLLOUT : POLLIN), revents: 0)
        )
        let count: nfds_t = descriptor == nil ? 1 : 2
        while !isStopping {
            // What is due already, or sooner than a sleep can hit, needs no call.
            if count == 1, deadline - now < Self.shortestSleep { return .timeout }
            let left = max((deadline - now).nanoseconds, 0)
            var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
            let ready = withUnsafeMutablePointer(to: &entries) {
                $0.withMemoryRebound(to: pollfd.self, capacity: 2) { ppoll($0, count, &time, nil) }
            }
            if ready > 0, entries.0.revents == 0 { return .readable }
            if ready == 0 { return .timeout }
            now = SystemClock.now()
        }
        return .stopping
    }
}
