import CLinux
import Glibc
import HeadingPipeline

/// Waiting for one of several things.
enum DescriptorWait {
    /// Sleeps until a descriptor has something to read, until `deadline`, or until a signal. Negative numbers are
    /// waited for in vain.
    static func untilReadable(_ descriptors: [Int32], until deadline: Instant) {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var left = timespec(until: deadline)
        _ = ppoll(&entries, nfds_t(entries.count), &left, nil)
    }

    static func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    static func untilReadable(_ descriptor: Int32, until deadline: Instant) {
        untilReadable([descriptor], until: deadline)
    }
}
