import CLinux
import Glibc
import HeadingPipeline

/// Wakes a thread that sleeps in `poll` (an eventfd).
struct Wakeup: ~Copyable, Sendable {
    let descriptor: Descriptor

    init() throws(Errno) {
        descriptor = Descriptor(owning: try Errno.check { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
    }

    /// Safe from any thread; many signals before the sleeper looks count as one.
    borrowing func signal() {
        var one: UInt64 = 1
        _ = write(descriptor.number, &one, 8)
    }

    /// Forgets the signals so far.
    borrowing func clear() {
        var count: UInt64 = 0
        _ = read(descriptor.number, &count, 8)
    }

    /// Sleeps until signalled or until `deadline`, and forgets the signals.
    borrowing func wait(until deadline: Instant) {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, deadline.pollTimeout) > 0 { clear() }
    }
}

extension Instant {
    /// Milliseconds from now for `poll`, rounded up so that it does not return too early.
    var pollTimeout: Int32 {
        let left = max((self - SystemClock.now()).nanoseconds, 0)
        return Int32(clamping: (left + 999_999) / 1_000_000)
    }
}
