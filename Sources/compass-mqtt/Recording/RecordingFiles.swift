import Glibc
import HeadingPipeline

/// A recording on disk: `FILE`, and behind it `FILE.1` ... `FILE.3`, each older than the one before and each
/// complete in itself. Together they never grow beyond the limit.
struct RecordingFiles: ~Copyable {
    static let parts = 4

    private let path: String
    private let head: [UInt8]
    private let partLimit: Int
    private var file: Descriptor
    private var size: Int

    /// Begins a new `FILE`. One that is there already becomes `FILE.1`, if it is a recording.
    init(_ path: String, limit: Int, head: RecordingHead) throws(RecordingError) {
        let head = Array(head.text.utf8)
        file = try Self.beginFirst(path, head)
        self.path = path
        self.head = head
        partLimit = limit / Self.parts
        size = head.count
    }

    private static func beginFirst(_ path: String, _ head: [UInt8]) throws(RecordingError) -> Descriptor {
        try examine(path)
        do throws(Errno) { return try begin(path, head) } catch { throw RecordingError("\(path): \(error)") }
    }

    /// Writes lines to the file, or to a new one where they would make it too large.
    mutating func append(_ chunk: RecordingChunk) throws(Errno) {
        if size > head.count, size + chunk.lines.count > partLimit {
            file = try Self.begin(path, head)
            size = head.count + chunk.opening.count
            try Self.write(chunk.opening, to: file)
        }
        size += chunk.lines.count
        try Self.write(chunk.lines, to: file)
    }

    private static func begin(_ path: String, _ head: [UInt8]) throws(Errno) -> Descriptor {
        try shift(path)
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o640)
        try write(head, to: file)
        return file
    }

    private static func write(_ bytes: [UInt8], to file: borrowing Descriptor) throws(Errno) {
        let number = file.number
        var written = 0
        while written < bytes.count {
            written += try Errno.check {
                bytes.withUnsafeBytes {
                    Glibc.write(number, $0.baseAddress?.advanced(by: written), $0.count - written)
                }
            }
        }
    }

    /// A slip of the keyboard must not move a file away that is something else.
    private static func examine(_ path: String) throws(RecordingError) {
        do throws(TextFile.Fault) {
            let beginning = try TextFile.read(path, upTo: 64)
            guard beginning.isEmpty || RecordingHead.isBeginning(beginning) else {
                throw TextFile.Fault(description: "is there already, and is no recording", isMissing: false)
            }
        } catch {
            if !error.isMissing { throw RecordingError("\(path): \(error)") }
        }
    }

    private static func shift(_ path: String) throws(Errno) {
        let names = [path] + (1..<parts).map { "\(path).\($0)" }
        for (younger, older) in zip(names, names.dropFirst()).reversed() {
            do throws(Errno) { try Errno.check { rename(younger, older) } } catch {
                if error != Errno(ENOENT) { throw error }
            }
        }
    }
}

/// Whole lines on their way to the disk.
struct RecordingChunk {
    var lines: [UInt8] = []
    /// What a file that begins with these lines must know before: see ``StandingReadings``.
    var opening: [UInt8] = []
}

/// A recording cannot begin.
struct RecordingError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
