import CLinux
import Glibc
import HeadingPipeline

/// A sleep that another thread can cut short. It costs the kernel less than one on a descriptor (`Wakeup`), which has to be
/// looked up and put on a list each time.
struct Semaphore: ~Copyable, Sendable {
    /// Made for use from several threads.
    nonisolated(unsafe) private let raw: UnsafeMutablePointer<sem_t>

    init() {
        raw = .allocate(capacity: 1)
        sem_init(raw, 0, 0)
    }

    deinit {
        sem_destroy(raw)
        raw.deallocate()
    }

    /// Safe from any thread.
    borrowing func signal() { sem_post(raw) }

    /// True: signalled; false: it is `deadline`, or a signal of the system came first.
    borrowing func wait(until deadline: Instant) -> Bool {
        var limit = timespec(nanoseconds: deadline.nanoseconds)
        return sem_clockwait(raw, CLOCK_MONOTONIC, &limit) == 0
    }
}
