extension ValueFormat<String> {
    /// An address in numbers: a name could stand for another machine's.
    static let address = ValueFormat(
        "an IPv4 or IPv6 address (127.0.0.1 or ::1: this machine only, 0.0.0.0 or ::: all networks)",
        read: { (text) throws(ValueFault) in
            guard NumericAddress.isAddress(text) else { throw ValueFault("is no address") }
            return text
        },
        write: { $0 })

    /// What a viewer types once and a cookie carries after: nothing that a cookie or an address line would bend.
    static let token = ValueFormat(
        TokenRule.allowed,
        read: { (text) throws(ValueFault) in
            if let fault = TokenRule.fault(text.utf8) { throw ValueFault(fault) }
            return text
        },
        write: { $0 })
}

extension ValueFormat<[String]> {
    static let hostNames = words(
        "host names with blanks between them, or none", empty: "none", ValueFormat<String>.host)
    static let addresses = words(
        "IPv4 or IPv6 addresses with blanks between them, or none", empty: "none", ValueFormat<String>.address
    )
    static let topicFilters = words(
        "base topics with blanks between them, each as in publish.base_topic, + for any level", empty: nil,
        topicFilter)

    private static let topicFilter = ValueFormat<String>(
        "",
        read: { (text) throws(ValueFault) in
            _ = try ValueFormat<String>.baseTopic.read(
                text.split(separator: "/", omittingEmptySubsequences: false)
                    .map { $0 == "+" ? "any" : String($0) }.joined(separator: "/"))
            return text
        },
        write: { $0 })

    private static func words(_ allowed: String, empty: String?, _ word: ValueFormat<String>) -> Self {
        ValueFormat(
            allowed,
            read: { (text) throws(ValueFault) in
                if text == empty { return [] }
                var words: [String] = []
                for part in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
                    words.append(try word.read(String(part)))
                }
                return words
            },
            write: { $0.isEmpty ? empty ?? "" : $0.joined(separator: " ") })
    }
}

/// What a token must be.
package enum TokenRule {
    package static let allowed = "8 to 128 letters, digits, _ and -"

    /// `nil`: it is one.
    package static func fault(_ text: some Collection<UInt8>) -> String? {
        if text.count < 8 { return "is too short" }
        if text.count > 128 { return "is too long" }
        return text.allSatisfy(isAllowed) ? nil : "has other characters in it"
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
