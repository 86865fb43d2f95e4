import HeadingPipeline
import Testing

@Suite("The topics that the page shows")
struct ShownTopicTests {
    @Test("are the agent's, but for the settings that have no place on the page")
    func keepStep() {
        let published = Set(Topic.allCases.map(\.path))
        let shown = Set(ShownTopic.allCases.map(\.rawValue))
        #expect(shown.subtracting(published).isEmpty)
        #expect(published.subtracting(shown) == ["smoothing", "heading_offset"])
    }

    @Test("come to a new viewer with the statuses first")
    func order() {
        let statuses = Topic.allCases.filter(\.isStatus).map(\.path)
        #expect(ShownTopic.allCases.prefix(statuses.count).map(\.rawValue) == statuses)
    }
}
