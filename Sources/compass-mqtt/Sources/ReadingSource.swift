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
    private let stop = Semaphore()
    private let stopDescriptor: Wakeup
    private let stopping = Atomic<Bool>(false)
    private let aliveUntil = Atomic<Int64>(.max)

    init(sink: any ReadingSink) throws(Errno) {
        self.sink = sink
        stopDescriptor = try Wakeup()
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func requestStop() {
        stopping.store(true, ordering: .relaxed)
        stop.signal()
        stopDescriptor.signal()
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

    /// Sleeps until `deadline` or until the agent stops.
    func wait(until deadline: Instant) -> Wake {
        let now = SystemClock.now()
        expectProgress(by: max(deadline, now) + .seconds(30))
        // What is due already, or sooner than a sleep can hit, needs no call.
        guard deadline - now >= Self.shortestSleep else { return isStopping ? .stopping : .timeout }
        while !isStopping {
            if !stop.wait(until: deadline), SystemClock.now() >= deadline { return .timeout }
        }
        return .stopping
    }

    /// Sleeps until the descriptor has something, until `deadline`, or until the agent stops.
    func wait(until deadline: Instant, readable descriptor: Int32, writable: Bool = false) -> Wake {
        expectProgress(by: max(deadline, SystemClock.now()) + .seconds(30))
        var entries = (
            pollfd(fd: stopDescriptor.descriptor.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(writable ? POLLOUT : POLLIN), revents: 0)
        )
        while !isStopping {
            var left = timespec(until: deadline)
            let ready = withUnsafeMutablePointer(to: &entries) {
                $0.withMemoryRebound(to: pollfd.self, capacity: 2) { ppoll($0, 2, &left, nil) }
            }
            if ready > 0, entries.0.revents == 0 { return .readable }
            if ready == 0 { return .timeout }
        }
        return .stopping
    }
}
