/// Reads a command's arguments from left to right. Options may be written `--name value` or `--name=value`.
struct ArgumentReader {
    private var rest: [String]

    init(_ arguments: some Sequence<String>) { rest = Array(arguments) }

    /// Takes the first argument, unless it is an option.
    mutating func command() -> String? {
        guard let first = rest.first, !first.hasPrefix("-") else { return nil }
        return rest.removeFirst()
    }

    /// Takes a flag out, wherever it stands.
    mutating func flag(_ name: String) -> Bool {
        guard let index = rest.firstIndex(of: name) else { return false }
        rest.remove(at: index)
        return true
    }

    /// Takes an option and its value out, wherever they stand.
    mutating func option(_ name: String) throws(UsageError) -> String? {
        if let index = rest.firstIndex(where: { $0.hasPrefix(name + "=") }) {
            let value = rest.remove(at: index).dropFirst(name.count + 1)
            guard !value.isEmpty else { throw UsageError("\(name) needs a value") }
            return String(value)
        }
        guard let index = rest.firstIndex(of: name) else { return nil }
        guard index + 1 < rest.count, !rest[index + 1].isEmpty, !rest[index + 1].hasPrefix("--") else {
            throw UsageError("\(name) needs a value")
        }
        rest.remove(at: index)
        return rest.remove(at: index)
    }

    /// Takes the next positional argument. A number may be negative; `-` alone is an argument.
    mutating func next() throws(UsageError) -> String? {
        guard let first = rest.first else { return nil }
        if first.hasPrefix("-"), first != "-", Double(first) == nil {
            throw UsageError("unknown option \(first)")
        }
        return rest.removeFirst()
    }

    /// Throws unless everything has been taken.
    func finish() throws(UsageError) {
        guard let first = rest.first else { return }
        throw UsageError(first.hasPrefix("-") ? "unknown option \(first)" : "unexpected argument \(first)")
    }
}

/// The command line is wrong; the program ends with status 2.
struct UsageError: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
