import Glibc
import HeadingPipeline

/// An attribute that holds one whole number, kept open and read again and again.
final class RawAttribute {
    private let descriptor: Descriptor

    init(_ path: String) throws(Errno) { descriptor = try Descriptor.open(path, O_RDONLY) }

    /// Takes as long as the driver takes: milliseconds as a rule, seconds where a chip does not answer.
    func read() throws(ReadFault) -> Int64 {
        let result: Result<Int64, ReadFault> = withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) {
            buffer in
            do throws(Errno) {
                let count = try descriptor.readFromStart(into: buffer)
                let digits = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                return Int64(attribute: digits).map(Result.success) ?? .failure(.malformed)
            } catch {
                return .failure(.failed(error))
            }
        }
        return try result.get()
    }
}

/// Why a reading did not come.
enum ReadFault: Error, Equatable, CustomStringConvertible {
    case failed(Errno)
    case malformed

    var description: String {
        switch self {
        case .failed(let error): error.description
        case .malformed: "what is there is no number"
        }
    }

    var rejection: Rejection { self == .malformed ? .malformed : .readFailed }

    /// The device itself is no longer there.
    var isLoss: Bool {
        guard case .failed(let error) = self else { return false }
        return error.isLoss
    }
}

extension Errno {
    var isLoss: Bool { [ENODEV, ENOENT, ENXIO, ESHUTDOWN].contains(code) }
}
