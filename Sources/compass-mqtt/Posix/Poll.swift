import CLinux
import Glibc
import HeadingPipeline

/// Waiting for one of several things.
enum Poll {
    /// Sleeps until one of two descriptors has something to read, until `deadline`, or until a signal.
    static func wait(_ first: Int32, _ second: Int32, until deadline: Instant) {
        var entries = (
            pollfd(fd: first, events: Int16(POLLIN), revents: 0),
            pollfd(fd: second, events: Int16(POLLIN), revents: 0)
        )
        let left = max(0, (deadline - SystemClock.now()).nanoseconds)
        var limit = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
        withUnsafeMutablePointer(to: &entries) {
            _ = $0.withMemoryRebound(to: pollfd.self, capacity: 2) { ppoll($0, 2, &limit, nil) }
        }
    }
}
