import Glibc
import HeadingPipeline
import Synchronization

/// The log: one line a change on standard error; unless a person reads it there, with the priority in the form that
/// journald takes.
enum Log {
    private static let isForPeople = isatty(StandardStream.error.rawValue) == 1
    private static let threshold = Atomic<Int>(6)

    static func setLevel(_ level: Settings.LogLevel) {
        threshold.store(priority(level), ordering: .relaxed)
    }

    static func error(_ message: @autoclosure () -> String) { write(.error, message) }
    static func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    static func info(_ message: @autoclosure () -> String) { write(.info, message) }
    static func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    private static func write(_ level: Settings.LogLevel, _ message: () -> String) {
        guard priority(level) <= threshold.load(ordering: .relaxed) else { return }
        // Words from outside must neither become two lines nor steer a terminal.
        let text = String(message().map { $0.isNewline || $0.isControl ? " " : $0 })
        StandardStream.error.write((isForPeople ? "" : "<\(priority(level))>") + text + "\n")
    }

    /// The syslog priority.
    private static func priority(_ level: Settings.LogLevel) -> Int {
        switch level {
        case .error: 3
        case .warning: 4
        case .info: 6
        case .debug: 7
        }
    }
}

/// Standard output and standard error, written whole or not at all, without a buffer of our own.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    func write(_ text: String) {
        var text = text
        _ = text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    /// False: it failed, and `errno` says why.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard let written = try? Errno.check({ Glibc.write(rawValue, rest.baseAddress, rest.count) })
            else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
        return true
    }

    func writeLine(_ text: String) { write(text + "\n") }

    /// Where a caller has closed one of the three, the next file that is opened would take its place, and the log go
    /// into it.
    static func fillGaps() {
        while true {
            let descriptor = open("/dev/null", O_RDWR)
            guard (0...2).contains(descriptor) else {
                if descriptor > 2 { close(descriptor) }
                return
            }
        }
    }
}

extension Character {
    fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
