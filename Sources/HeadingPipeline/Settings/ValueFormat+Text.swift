extension ValueFormat<String> {
    /// Any text: a name to show, a user's name.
    static func text(upTo limit: Int = 100) -> Self {
        checked("text of up to \(limit) characters") { text in
            text.unicodeScalars.count > limit ? "is too long" : nil
        }
    }

    /// Text that becomes part of topics and of Home Assistant's identifiers.
    static let identifier = checked("letters, digits, _ and -, up to 64") { text in
        if let other = text.unicodeScalars.first(where: { !isIdentifierPart($0) }) {
            return "has " + VisibleText.quoted(String(Character(other))) + " in it"
        }
        return text.utf8.count > 64 ? "is too long" : nil
    }

    static func path(upTo limit: Int = 1024) -> Self {
        checked("an absolute path of up to \(limit) bytes") { pathFault($0, limit) }
    }

    /// A file to read, of the file system or of systemd's credentials.
    static let readableFile = checked("an absolute path of up to 1024 bytes, or credential:NAME") { text in
        guard text.hasPrefix(Credential.prefix) else { return pathFault(text, 1024) }
        return Credential(text) == nil ? "has no credential's name after credential:" : nil
    }

    private static func pathFault(_ path: String, _ limit: Int) -> String? {
        if !path.hasPrefix("/") { return "does not begin with /" }
        return path.utf8.count > limit ? "is too long" : nil
    }

    static let host = checked("a host name or an address, without a port") { host in
        guard host.unicodeScalars.allSatisfy({ isIdentifierPart($0) || ".:%".unicodeScalars.contains($0) })
        else {
            return "is no host name or address"
        }
        let colons = host.utf8.count { $0 == UInt8(ascii: ":") }
        if colons == 1 { return "has a port in it, which has a key of its own" }
        return host.utf8.count > 253 ? "is too long" : nil
    }

    /// The first levels of every topic.
    static let baseTopic = checked(
        "levels with / between them, none empty, without + and #, not beginning with $, up to 200 bytes"
    ) { topic in
        if topic.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) {
            return "has a wildcard in it"
        }
        if topic.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "has a control character in it"
        }
        if topic.hasPrefix("$") { return "begins with $, which is the broker's own" }
        if topic.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).contains(
            where: \.isEmpty)
        {
            return "has an empty level"
        }
        return topic.utf8.count > 200 ? "is too long" : nil
    }

    /// Text that is taken as it stands unless `fault` finds something.
    private static func checked(_ allowed: String, fault: @escaping @Sendable (String) -> String?) -> Self {
        ValueFormat(
            allowed,
            read: { (text) throws(ValueFault) in
                if let reason = fault(text) { throw ValueFault(reason) }
                return text
            },
            write: { $0 })
    }

    private static func isIdentifierPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
