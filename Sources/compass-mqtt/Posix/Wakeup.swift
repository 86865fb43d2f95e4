import CLinux
import Glibc

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
}
