/// IPv4 and IPv6 addresses in numbers, as text.
package enum NumericAddress {
    package static func isAddress(_ text: String) -> Bool { isIPv4(text) || isIPv6(text) }

    /// Reached from this machine alone.
    package static func isLoopback(_ text: String) -> Bool {
        text == "::1" || isIPv4(text) && text.hasPrefix("127.")
    }

    package static func isIPv4(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy(isDigit) && (Int(part) ?? 256) < 256
            }
    }

    /// Without a zone.
    package static func isIPv6(_ text: String) -> Bool {
        guard text.utf8.count <= 45, text.contains(":") else { return false }
        // `:::` counts as two.
        let gaps = text.indices.count { text[$0...].hasPrefix("::") }
        let groups = text.split(separator: ":")
        let hasIPv4 = groups.last.map { isIPv4(String($0)) } ?? false
        let count = groups.count + (hasIPv4 ? 1 : 0)
        guard gaps == 1 ? count < 8 : gaps == 0 && count == 8 else { return false }
        if gaps == 0 || !text.hasPrefix("::"), text.hasPrefix(":") { return false }
        if gaps == 0 || !text.hasSuffix("::"), text.hasSuffix(":") { return false }
        return groups.dropLast(hasIPv4 ? 1 : 0).allSatisfy { group in
            group.utf8.count <= 4 && group.utf8.allSatisfy(isHexDigit)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
