/// What is kept of one sensor's calibrations, newest first: the first of each kind is in force. Its text is a file
/// that people can read: a section for each record, `key = value` lines, `#` comments.
package struct CalibrationArchive: Hashable, Sendable {
    package private(set) var records: [CalibrationRecord]
    /// So many of each kind are kept.
    package static let kept = 3
    /// Bytes; several times what it ever holds.
    package static let largestSize = 65_536

    package init(_ records: [CalibrationRecord] = []) { self.records = records }

    package func current(_ kind: CalibrationRecord.Kind) -> CalibrationRecord? {
        records.first { $0.kind == kind }
    }

    /// In force from now on; or, `behind`, the one that a ``restore(_:)`` puts in force, where there is one already.
    package mutating func add(_ record: CalibrationRecord, behind: Bool = false) {
        let first = records.firstIndex { $0.kind == record.kind }
        records.insert(record, at: behind ? first.map { $0 + 1 } ?? 0 : 0)
        let surplus = records.indices.filter { records[$0].kind == record.kind }.dropFirst(Self.kept)
        for index in surplus.reversed() { records.remove(at: index) }
    }

    /// Goes back to the one before; the one in force becomes the last of those kept. Whether there was one.
    package mutating func restore(_ kind: CalibrationRecord.Kind) -> Bool {
        guard records.filter({ $0.kind == kind }).count > 1,
            let index = records.firstIndex(where: { $0.kind == kind })
        else { return false }
        records.append(records.remove(at: index))
        return true
    }
}

/// A calibration's file says something that it cannot mean.
package struct ArchiveFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    package var line: Int
    package var reason: String
    package var description: String { "line \(line): \(reason)" }
}

extension CalibrationArchive {
    package var text: String {
        let head = """
            # Calibrations of one sensor, written by compass-mqtt calibrate. The first of each kind is in force;
            # the older ones are kept for calibrate --restore.

            """
        return records.reduce(head) { $0 + "\n" + RecordText.write($1) }
    }

    /// Reads back what ``text`` wrote. Never traps, whatever the bytes.
    package init(parsing bytes: [UInt8]) throws(ArchiveFault) {
        guard bytes.count <= Self.largestSize else { throw ArchiveFault(line: 1, reason: "too large") }
        var sections: [RecordText] = []
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            switch ConfigLine(line) {
            case .blank: break
            case .malformed(let reason, _): throw ArchiveFault(line: number, reason: reason)
            case .section(let name): sections.append(RecordText(kind: name, line: number))
            case .entry(let key, let value):
                guard !sections.isEmpty else { throw ArchiveFault(line: number, reason: "no section yet") }
                try sections[sections.count - 1].take(key, value, line: number)
            }
        }
        guard !sections.isEmpty else { throw ArchiveFault(line: 1, reason: "nothing in it") }
        var records: [CalibrationRecord] = []
        for section in sections { records.append(try section.record()) }
        self.init(records)
    }
}
