import Testing

@testable import HeadingPipeline

@Suite("The dashboard for Home Assistant")
struct DashboardTests {
    @Test("shows entities that there are, by the ids that they have")
    func entities() throws {
        let text = try readFile(projectRoot + "/deploy/home-assistant/dashboard.yaml")
        var settings = Settings()
        settings.commands.isEnabled = true
        let device = HomeAssistantDevice(settings: settings, id: "x", base: "b", version: "1")
        let message = JSONValue(
            HomeAssistantAnnouncement(
                device, settings: settings, present: Set(Source.allCases), known: []
            ).payload)
        let components = try #require(message?["cmps"]?.members)
        let known = Set(components.values.compactMap { $0["def_ent_id"]?.text })
        let platforms = HomeAssistantEntity.Platform.allCases.map { $0.rawValue + ".compass_" }
        // Comments tell of other ids.
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let words = lines.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." } }
        let shown = Set(words.map(String.init).filter { word in platforms.contains { word.hasPrefix($0) } })
        #expect(shown.count > 10)
        for card in ["gauge", "tile", "map", "history-graph"] {
            #expect(text.contains("type: \(card)\n"), "\(card)")
        }
        #expect(shown.subtracting(known) == [])
    }
}
