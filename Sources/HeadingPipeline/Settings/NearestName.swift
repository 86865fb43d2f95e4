/// Finds what a mistyped name was meant to be.
package enum NearestName {
    /// The candidate with the fewest typing errors, the first of several; `nil` where none is near enough to be
    /// of help: more than two errors, or more than a third of the name.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        let limit = max(2, name.utf8.count / 3)
        var best: (name: String, errors: Int)?
        for candidate in candidates {
            let errors = distance(from: name, to: candidate, upTo: min(limit, candidate.utf8.count - 1))
            guard let errors, errors < best?.errors ?? .max else { continue }
            best = (candidate, errors)
        }
        return best?.name
    }

    /// `nil`: more than `limit`.
    private static func distance(from name: String, to candidate: String, upTo limit: Int) -> Int? {
        if candidate == name { return 0 }
        // `password` for `password_file` is one error, not five.
        if candidate.split(separator: "_").contains(where: { $0 == name }) { return 1 }
        guard abs(name.utf8.count - candidate.utf8.count) <= limit else { return nil }
        let errors = typingErrors(from: name, to: candidate)
        return errors <= limit ? errors : nil
    }

    /// Insertions, deletions, replacements and exchanges of neighbours that lead from one name to the other
    /// (optimal string alignment distance); capitals count as small letters and `-` as `_`.
    static func typingErrors(from name: String, to other: String) -> Int {
        let a = folded(name)
        let b = folded(other)
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for (i, left) in a.enumerated() {
            var row = [i + 1]
            for (j, right) in b.enumerated() {
                var best = min(last[j] + (left == right ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left == b[j - 1], a[i - 1] == right {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }

    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
            case UInt8(ascii: "-"): UInt8(ascii: "_")
            default: byte
            }
        }
    }
}
