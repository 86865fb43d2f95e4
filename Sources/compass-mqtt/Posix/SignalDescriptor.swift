import CLinux
import Glibc

/// Signals as something to read: blocked for every thread that starts later, and waited for in `poll`.
struct SignalDescriptor: ~Copyable {
    let descriptor: Descriptor

    /// To be made before any thread starts. SIGPIPE is ignored, so that a broken connection is an error code.
    init(_ signals: [Int32]) throws(Errno) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        let number = try Errno.check { signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) }
        descriptor = Descriptor(owning: number)
    }

    /// The next signal that has come; `nil` when there is none (any more).
    borrowing func next() -> Int32? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return read(descriptor.number, &info, size) == size ? Int32(info.ssi_signo) : nil
    }
}
