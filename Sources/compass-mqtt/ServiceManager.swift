import Glibc
import HeadingPipeline

/// Tells systemd how the service is, by the protocol of sd_notify(3): a datagram of `KEY=value` lines to the
/// socket that the environment names. Without one, nothing is sent.
struct ServiceManager {
    private let socketPath: String?
    /// Half of the time after which systemd takes the service for dead; `nil`: it does not watch.
    let watchdogInterval: Interval?

    init() {
        socketPath = environment("NOTIFY_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
        let isForUs = environment("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        watchdogInterval = environment("WATCHDOG_USEC").flatMap { Int64($0) }
            .flatMap { isForUs && $0 > 0 ? Interval(nanoseconds: $0 * 500) : nil }
    }

    func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
    func stopping() { send("STOPPING=1") }
    func feedWatchdog() { send("WATCHDOG=1") }

    private func send(_ message: String) {
        guard let socketPath else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(socketPath.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        // A leading @ stands for the NUL of an abstract socket.
        if path.first == 0x40 { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return }
        let descriptor = Descriptor(owning: number)
        var text = message
        text.withUTF8 { bytes in
            _ = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(
                        descriptor.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
                }
            }
        }
    }
}

private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

extension SignalDescriptor {
    /// Whether a signal asks a service to stop. SIGHUP is accepted, so that a reload never ends it.
    func tellToEnd() -> Bool {
        guard let signal = next() else { return false }
        if signal == SIGHUP {
            Log.info("SIGHUP: settings are read at start only; restart to change them")
            return false
        }
        Log.info("stopping on signal \(signal)")
        return true
    }
}
