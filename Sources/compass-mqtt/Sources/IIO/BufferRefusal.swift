import Glibc
import HeadingPipeline

/// Why a device cannot be read through its buffer.
enum BufferRefusal: Error, CustomStringConvertible {
    /// The driver, or its wiring, has none.
    case absent
    case inUse
    case noTrigger(String)
    case denied(String)
    case failed(String, Errno)

    var description: String {
        switch self {
        case .absent: "it has no buffer"
        case .inUse: "another program reads its buffer"
        case .noTrigger(let reason): reason
        case .denied(let file): "no permission for \(file) (see the udev rules)"
        case .failed(let file, let error): "\(file): \(error)"
        }
    }

    init(_ file: String, _ error: Errno) {
        switch error.code {
        case EACCES, EPERM: self = .denied(file)
        case EBUSY: self = .inUse
        default: self = .failed(file, error)
        }
    }

    /// Runs a system call about `file` and says in this type's words why it failed.
    static func check<Value: ~Copyable>(
        _ file: String, _ call: () throws(Errno) -> Value
    ) throws(BufferRefusal) -> Value {
        do throws(Errno) {
            return try call()
        } catch {
            throw BufferRefusal(file, error)
        }
    }

    /// What may come yet: udev gives the permissions some time after the device has come.
    var lateGrant: LateGrant? {
        if case .denied(let file) = self { LateGrant(file: file) } else { nil }
    }
}

/// A permission that is missing and may be given later.
struct LateGrant {
    private let file: String
    private var nextLook = SystemClock.now() + Self.interval

    private static let interval = Interval.seconds(2)

    init(file: String) { self.file = file }

    /// Looks at the file now and then only.
    mutating func isThere(at now: Instant) -> Bool {
        guard now >= nextLook else { return false }
        nextLook = now + Self.interval
        return access(file, R_OK | W_OK) == 0
    }
}
