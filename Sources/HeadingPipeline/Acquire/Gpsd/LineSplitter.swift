/// Cuts a stream of bytes into lines at LF or CR LF. Its memory is bounded: a line longer than any real one is
/// dropped and reported once, and reading goes on behind the next LF.
package struct LineSplitter {
    /// gpsd's own longest report is about 10 KiB (`GPS_JSON_RESPONSE_MAX`).
    package static let longestLine = 64 * 1024

    package enum Piece {
        /// One line without its end; valid during the call only. Empty lines are left out.
        case line(UnsafeRawBufferPointer)
        case lineTooLong
    }

    private var unfinished: [UInt8] = []
    private var isSkipping = false

    package init() { unfinished.reserveCapacity(4096) }

    /// Forgets half a line, as a new connection needs.
    package mutating func reset() {
        unfinished.removeAll(keepingCapacity: true)
        isSkipping = false
    }

    package mutating func consume(_ bytes: UnsafeRawBufferPointer, _ take: (Piece) -> Void) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            finish(UnsafeRawBufferPointer(rebasing: rest[..<end]), take)
            rest = rest[(end + 1)...]
        }
        keep(UnsafeRawBufferPointer(rebasing: rest), take)
    }

    private mutating func finish(_ tail: UnsafeRawBufferPointer, _ take: (Piece) -> Void) {
        if isSkipping {
            isSkipping = false
        } else if unfinished.count + tail.count > Self.longestLine {
            take(.lineTooLong)
        } else if unfinished.isEmpty {
            Self.emit(tail, take)
        } else {
            unfinished.append(contentsOf: tail)
            unfinished.withUnsafeBytes { Self.emit($0, take) }
        }
        unfinished.removeAll(keepingCapacity: true)
    }

    private mutating func keep(_ tail: UnsafeRawBufferPointer, _ take: (Piece) -> Void) {
        if isSkipping || tail.isEmpty { return }
        if unfinished.count + tail.count > Self.longestLine {
            take(.lineTooLong)
            isSkipping = true
            unfinished.removeAll(keepingCapacity: true)
        } else {
            unfinished.append(contentsOf: tail)
        }
    }

    private static func emit(_ line: UnsafeRawBufferPointer, _ take: (Piece) -> Void) {
        let end = line.last == UInt8(ascii: "\r") ? line.count - 1 : line.count
        if end > 0 { take(.line(UnsafeRawBufferPointer(rebasing: line[..<end]))) }
    }
}
