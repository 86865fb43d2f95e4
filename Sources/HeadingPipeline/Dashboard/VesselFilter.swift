/// Which topics belong to a vessel: the first levels of its topics, where `+` stands for any one level.
package struct VesselFilter: Hashable, Sendable {
    private let levels: [Substring]

    package init(_ filter: String) {
        levels = filter.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// What to subscribe to.
    package var subscription: String { levels.joined(separator: "/") + "/#" }

    /// The vessel's base topic and what follows it; `nil`: another's.
    package func split(_ topic: String) -> (base: String, path: String)? {
        let parts = topic.split(separator: "/", maxSplits: levels.count, omittingEmptySubsequences: false)
        guard parts.count == levels.count + 1, zip(levels, parts).allSatisfy({ $0 == "+" || $0 == $1 })
        else { return nil }
        return (parts.dropLast().joined(separator: "/"), String(parts[levels.count]))
    }
}
