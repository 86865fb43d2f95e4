import Glibc

/// A recording's bytes, as they come, to its head and its readings. What cannot be read is refused line by line,
/// so that a damaged file gives all that is left of it. Its memory is bounded, whatever the file.
package struct RecordingReader {
    package enum Piece {
        /// Once, before everything else.
        case head(RecordingHead)
        case reading(Reading)
        case refused(line: Int, RecordingFault)
    }

    /// The longest is a calibration's file with every byte escaped.
    static let longestLine = 512 * 1024
    /// No recording is silent for so long: it has the clock once a second.
    private static let longestGap = Interval.seconds(86_400)

    private var unfinished: [UInt8] = []
    private var isSkipping = false
    private var lineNumber = 0
    private var headReader: RecordingHeadReader? = RecordingHeadReader()
    private var refusal: RecordingRefusal?
    private var last: Instant?

    package init() {}

    /// Appends what the bytes complete.
    package mutating func consume(
        _ bytes: UnsafeRawBufferPointer, into pieces: inout [Piece]
    ) throws(RecordingRefusal) {
        var rest = bytes
        while let end = rest.firstNewline {
            finish(UnsafeRawBufferPointer(rebasing: rest[..<end]), into: &pieces)
            if let refusal { throw refusal }
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
        keep(rest)
    }

    /// At the end of the file: whether its last line was cut off. Such a line is left out, since half a number is
    /// another number.
    package mutating func finish(into pieces: inout [Piece]) throws(RecordingRefusal) -> Bool {
        finishHead(into: &pieces)
        if let refusal { throw refusal }
        return isSkipping || !unfinished.isEmpty
    }

    // MARK: Lines

    private mutating func finish(_ tail: UnsafeRawBufferPointer, into pieces: inout [Piece]) {
        lineNumber += 1
        if isSkipping || unfinished.count + tail.count > Self.longestLine {
            isSkipping = false
            finishHead(into: &pieces)
            pieces.append(.refused(line: lineNumber, .tooLong))
        } else if unfinished.isEmpty {
            takeLine(tail, into: &pieces)
        } else {
            unfinished.append(contentsOf: tail)
            let line = unfinished
            line.withUnsafeBytes { takeLine($0, into: &pieces) }
        }
        unfinished.removeAll(keepingCapacity: true)
    }

    private mutating func keep(_ tail: UnsafeRawBufferPointer) {
        guard !isSkipping else { return }
        isSkipping = unfinished.count + tail.count > Self.longestLine
        if isSkipping {
            unfinished.removeAll(keepingCapacity: true)
        } else {
            unfinished.append(contentsOf: tail)
        }
    }

    private mutating func takeLine(_ line: UnsafeRawBufferPointer, into pieces: inout [Piece]) {
        let end = line.last == UInt8(ascii: "\r") ? line.count - 1 : line.count
        guard end > 0 else { return }
        let line = UnsafeRawBufferPointer(rebasing: line[..<end])
        if line[0] == .hash {
            takeHead(line)
        } else {
            finishHead(into: &pieces)
            if refusal == nil { takeReading(line, into: &pieces) }
        }
    }

    private mutating func takeHead(_ line: UnsafeRawBufferPointer) {
        do throws(RecordingRefusal) { try headReader?.take(line, number: lineNumber) } catch {
            refusal = error
        }
    }

    private mutating func finishHead(into pieces: inout [Piece]) {
        guard let reader = headReader else { return }
        headReader = nil
        do throws(RecordingRefusal) { pieces.append(.head(try reader.finished())) } catch { refusal = error }
    }

    private mutating func takeReading(_ line: UnsafeRawBufferPointer, into pieces: inout [Piece]) {
        do throws(RecordingFault) {
            let reading = try Reading(line: line)
            // Everything that falls due in between would have to be worked through.
            if let last, reading.at - last > Self.longestGap { throw .leap }
            last = reading.at
            pieces.append(.reading(reading))
        } catch {
            pieces.append(.refused(line: lineNumber, error))
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var firstNewline: Int? {
        guard let baseAddress, let found = memchr(baseAddress, Int32(UInt8(ascii: "\n")), count) else {
            return nil
        }
        return UnsafeRawPointer(found) - baseAddress
    }
}
