/// A cloud of raw field vectors as a table of text: `x,y,z` a line, split at commas, semicolons, tabs or blanks.
/// A header names the columns (`x`, `mx`, `mag_x`, `magn_x [uT]` ...) and may give the unit; without one the
/// first three columns are the vector. The unit may also stand after the vector (`1.0,2.0,3.0,uT`) or in a comment
/// (`# unit: gauss`). `#` begins a comment.
package struct CloudFile: Hashable, Sendable {
    package private(set) var samples: [CalibrationSample] = []
    package private(set) var unit: FieldUnit?
    /// Lines that hold no vector.
    package private(set) var skippedLines = 0

    /// More is no one's cloud, and would take the memory of a small board.
    package static let mostSamples = 200_000

    private var columns: [Int] = [0, 1, 2]
    private var hasData = false
    private var vectors: [Vector3] = []

    /// The operator's unit goes before the file's; where neither tells, it is microtesla.
    package init(_ text: some StringProtocol, unit asked: FieldUnit? = nil) {
        for line in text.split(whereSeparator: \.isNewline) where vectors.count < Self.mostSamples {
            take(line)
        }
        unit = asked ?? unit
        let factor = (unit ?? .microtesla).inMicrotesla
        samples = vectors.map { CalibrationSample(fieldMicrotesla: $0 * factor) }
    }

    private static let longestLine = 4096

    private mutating func take(_ line: some StringProtocol) {
        guard line.utf8.count <= Self.longestLine else {
            skippedLines += 1
            return
        }
        let parts = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count > 1 { noteUnit(in: parts[1]) }
        let fields = Self.fields(parts[0])
        guard !fields.isEmpty else { return }
        if let vector = vector(fields) {
            vectors.append(vector)
            if !hasData { noteUnit(in: fields.joined(separator: " ")) }
            hasData = true
        } else if !hasData, fields.allSatisfy({ Double($0) == nil }) {
            takeHeader(fields)
        } else {
            skippedLines += 1
        }
    }

    private static func fields(_ text: some StringProtocol) -> [String] {
        let marks: Set<Character> = [",", ";", "\t"]
        let hasMarks = text.contains { marks.contains($0) }
        return text.split(omittingEmptySubsequences: !hasMarks) { hasMarks ? marks.contains($0) : $0 == " " }
            .map { String($0.trimmed { $0 == " " || $0 == "\"" || $0 == "\r" || $0 == "\u{FEFF}" }) }
            .trimmedOfEmpty
    }

    private func vector(_ fields: [String]) -> Vector3? {
        guard fields.count > columns.max() ?? 0 else { return nil }
        let values = columns.compactMap { Double(fields[$0]) }
        guard values.count == 3 else { return nil }
        let vector = Vector3(values[0], values[1], values[2])
        return vector.isFinite && vector != .zero ? vector : nil
    }

    private mutating func takeHeader(_ fields: [String]) {
        // A column that is called T or G alone is a time or a gyroscope.
        noteUnit(in: fields.filter { $0.count > 1 }.joined(separator: " "))
        let names = fields.map { $0.lowercased().prefix { $0.isLetter || $0.isNumber || $0 == "_" } }
        let plain = names.map { $0.filter { $0 != "_" } }
        let known = ["mx my mz", "magx magy magz", "magnx magny magnz", "bx by bz", "x y z"]
        for triple in known.map({ $0.split(separator: " ") }) {
            let found = triple.compactMap { wanted in
                plain.firstIndex { $0 == wanted } ?? plain.firstIndex { $0.hasPrefix(wanted) }
            }
            if Set(found).count == 3 {
                columns = found
                return
            }
        }
    }

    private mutating func noteUnit(in text: some StringProtocol) {
        guard unit == nil else { return }
        let words = text.split { !($0.isLetter || $0 == "µ" || $0 == "μ") }
        unit = words.lazy.compactMap { FieldUnit(word: $0) }.first
    }
}

/// The units that magnetometers' clouds come in.
package enum FieldUnit: String, CaseIterable, Sendable {
    case microtesla = "uT"
    case nanotesla = "nT"
    case millitesla = "mT"
    case tesla = "T"
    case gauss = "G"
    case milligauss = "mG"
    /// The chip's own steps, of unknown size: the strength tells nothing.
    case counts

    package var inMicrotesla: Double {
        switch self {
        case .microtesla, .counts: 1
        case .nanotesla: 1e-3
        case .millitesla: 1e3
        case .tesla: 1e6
        case .gauss: 100
        case .milligauss: 0.1
        }
    }

    /// `nil` for a word that names no unit. A lone `T` or `G` counts only as it stands.
    package init?(word: some StringProtocol) {
        switch word.lowercased() {
        case "ut", "µt", "μt", "microtesla": self = .microtesla
        case "nt", "nanotesla": self = .nanotesla
        case "tesla": self = .tesla
        case "gauss": self = .gauss
        case "mg", "milligauss", "mgauss": self = .milligauss
        case "mt", "millitesla": self = .millitesla
        case "counts", "count", "raw", "lsb": self = .counts
        default:
            guard word == "T" || word == "G" else { return nil }
            self = word == "T" ? .tesla : .gauss
        }
    }
}

extension StringProtocol {
    fileprivate func trimmed(_ isBlank: (Character) -> Bool) -> SubSequence {
        let start = drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return start.prefix(0) }
        return start[...last]
    }
}

extension [String] {
    fileprivate var trimmedOfEmpty: [String] { contains { !$0.isEmpty } ? self : [] }
}
