import Glibc
import HeadingPipeline

/// A recording's pieces, one after another, from a file or standard input.
struct RecordingInput: ~Copyable {
    private let file: Descriptor
    /// Read already, to find out what the file is.
    private var beginning: [UInt8]
    private let chunk: UnsafeMutableRawBufferPointer
    private var reader = RecordingReader()
    private var pieces: [RecordingReader.Piece] = []
    private var position = 0
    private var isAtEnd = false
    /// Known once there are no more pieces.
    private(set) var isCutOff = false

    private static let chunkSize = 256 * 1024

    init(_ file: consuming Descriptor, after beginning: [UInt8] = []) {
        self.file = file
        self.beginning = beginning
        chunk = .allocate(byteCount: Self.chunkSize, alignment: 16)
    }

    /// The recording of that name; `-` is standard input.
    static func open(_ path: String) throws(ReplayError) -> Descriptor {
        do throws(Errno) {
            return path == "-"
                ? Descriptor(owning: try Errno.check { dup(0) })
                : try Descriptor.open(path, O_RDONLY | O_NOCTTY)
        } catch {
            throw ReplayError("\(error)")
        }
    }

    deinit { chunk.deallocate() }

    /// `nil` at the end.
    mutating func next() throws(ReplayError) -> RecordingReader.Piece? {
        while position == pieces.count {
            if isAtEnd { return nil }
            try fill()
        }
        position += 1
        return pieces[position - 1]
    }

    private mutating func fill() throws(ReplayError) {
        pieces.removeAll(keepingCapacity: true)
        position = 0
        guard beginning.isEmpty else { return try consumeBeginning() }
        let count = try readChunk()
        do throws(RecordingRefusal) {
            if count > 0 {
                try reader.consume(UnsafeRawBufferPointer(rebasing: chunk[..<count]), into: &pieces)
            } else {
                isAtEnd = true
                isCutOff = try reader.finish(into: &pieces)
            }
        } catch {
            throw ReplayError(error.description)
        }
    }

    private mutating func consumeBeginning() throws(ReplayError) {
        let bytes = beginning
        beginning = []
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(RecordingRefusal) in try reader.consume(buffer, into: &pieces) }
        }
        if case .failure(let refusal) = result { throw ReplayError(refusal.description) }
    }

    private func readChunk() throws(ReplayError) -> Int {
        do throws(Errno) { return try file.read(into: chunk) } catch { throw ReplayError("\(error)") }
    }
}
