import CLinux
import Glibc
import HeadingPipeline

/// The two clocks of the machine, read in one place.
enum SystemClock {
    static func now() -> Instant { Instant(nanoseconds: read(CLOCK_MONOTONIC)) }
    static func wallTime() -> UTCTime { UTCTime(nanoseconds: read(CLOCK_REALTIME)) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension timespec {
    init(nanoseconds: Int64) {
        self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }

    /// From now to `deadline`; none once it is past.
    init(until deadline: Instant) {
        self.init(nanoseconds: max((deadline - SystemClock.now()).nanoseconds, 0))
    }
}
