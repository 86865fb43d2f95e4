import Glibc

/// A mosquitto of the test's own on a free loopback port, stopped when the test lets go of it.
final class PrivateBroker {
    static var isInstalled: Bool { path != nil }
    private static let path = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto"].first { (path: String) in
        access(path, X_OK) == 0
    }

    let port: Int
    private var process: pid_t = 0
    private let configuration: String

    init() throws {
        port = try Self.freePort()
        configuration = "/tmp/compass-mqtt-test-\(getpid())-\(port).conf"
        let text = "listener \(port) 127.0.0.1\nallow_anonymous true\nlog_dest none\n"
        guard let file = fopen(configuration, "w") else { throw Unavailable() }
        fputs(text, file)
        fclose(file)
        try start()
    }

    deinit {
        end()
        unlink(configuration)
    }

    /// The same port, and nothing of what it knew.
    func restart() throws {
        end()
        try start()
    }

    private func start() throws {
        process = try Self.start([Self.path ?? "mosquitto", "-c", configuration])
        for _ in 0..<100 where !Self.answers(port) { usleep(50_000) }
    }

    private func end() {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    struct Unavailable: Error {}

    private static func start(_ arguments: [String]) throws -> pid_t {
        var process = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        guard posix_spawn(&process, arguments[0], nil, nil, words, environ) == 0 else { throw Unavailable() }
        return process
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        sockaddr_in(
            sin_family: sa_family_t(AF_INET), sin_port: in_port_t(port).bigEndian,
            sin_addr: in_addr(s_addr: UInt32(0x7F00_0001).bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw Unavailable() }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    private static func answers(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
