/// Keeps other web sites out. A browser on the same network would fetch from here on behalf of any page that it
/// shows: directly (refused by `Origin`), or under a name of the page's own that it has led here (refused by `Host`).
package struct RequestGuard: Sendable {
    /// Why a request is refused.
    package enum Refusal: String, Hashable, Sendable {
        case host = "this name is not known here: add it to [dashboard] hosts"
        case origin = "requests from other sites are refused"
    }

    /// In lower case.
    private let names: Set<String>

    /// `names`: of the machine, and what the settings add.
    package init(names: [String]) {
        self.names = Set(names.map { $0.lowercased() } + ["localhost"])
    }

    /// - Parameters:
    ///   - host, origin, site: the headers `Host`, `Origin` and `Sec-Fetch-Site`.
    ///   - isNavigation: somebody opens the page, which a link from elsewhere may do.
    ///   - changes: the request does more than read.
    package func refusal(
        host: String?, origin: String?, site: String?, isNavigation: Bool, changes: Bool
    ) -> Refusal? {
        guard let host, isKnown(host) else { return .host }
        if let origin { return isSame(origin, host) ? nil : .origin }
        if changes { return .origin }
        if let site, site != "same-origin", site != "none", !isNavigation { return .origin }
        return nil
    }

    /// A name can be led here from anywhere; an address in numbers cannot.
    private func isKnown(_ host: String) -> Bool {
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]"), isPort(host[host.index(after: end)...]) else {
                return false
            }
            return NumericAddress.isIPv6(String(host[host.index(after: host.startIndex)..<end]))
        }
        let end = host.firstIndex(of: ":") ?? host.endIndex
        guard isPort(host[end...]) else { return false }
        let name = host[..<end].lowercased()
        return NumericAddress.isIPv4(name) || names.contains(name)
    }

    private func isPort(_ rest: Substring) -> Bool {
        rest.isEmpty || rest.first == ":" && UInt16(rest.dropFirst()) != nil
    }

    private func isSame(_ origin: String, _ host: String) -> Bool {
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return origin.dropFirst(scheme.count).lowercased() == host.lowercased()
        }
        return false
    }
}
