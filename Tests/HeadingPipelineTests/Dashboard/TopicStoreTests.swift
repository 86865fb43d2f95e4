import HeadingPipeline
import Testing

@Suite("What the dashboard knows of the vessels")
struct TopicStoreTests {
    private var store = TopicStore(filters: [VesselFilter("compass/+")])
    private var feed = ViewerFeed(base: nil)
    private let surroundings = ViewerFeed.Surroundings(isConnected: true)

    private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0) + .seconds(seconds) }

    @discardableResult
    private mutating func take(_ topic: String, _ payload: String, at seconds: Double = 0) -> Bool {
        store.take(topic, Array(payload.utf8), isStored: false, at: at(seconds))
    }

    /// What the viewer gets now, as lines.
    private mutating func lines(at seconds: Double = 0) -> [String] {
        var bytes: [UInt8] = []
        if feed.hasNews(store, surroundings, at: at(seconds)) {
            feed.append(
                to: &bytes, store, surroundings, welcome: Array("{}".utf8), at: at(seconds),
                wallTime: UTCTime(year: 2026, month: 11, day: 30))
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(
        "splits a topic into the vessel and what is told",
        arguments: [
            ("compass/+", "compass/a/heading/true", "compass/a", "heading/true"),
            ("boat/compass", "boat/compass/status", "boat/compass", "status"),
            ("+/x", "y/x/gps/status", "y/x", "gps/status"),
        ])
    func splits(filter: String, topic: String, base: String, path: String) {
        let parts = VesselFilter(filter).split(topic)
        #expect(parts?.base == base)
        #expect(parts?.path == path)
    }

    @Test(
        "knows others' topics for what they are",
        arguments: ["compass/a", "compassx/a/heading", "a/compass/heading", ""])
    func leavesOthersAlone(topic: String) {
        #expect(VesselFilter("compass/+").split(topic) == nil)
    }

    @Test("tells a new viewer everything, statuses first, and then only what is new")
    mutating func tellsWhatIsNew() {
        take("compass/a/heading", "5")
        take("compass/a/status", "online")
        let first = lines()
        #expect(first[0] == "retry: 1000")
        #expect(first[1...2] == ["event: welcome", "data: {}"])
        #expect(first.contains("data: \"2026-11-30T00:00:00.000Z\""))
        #expect(first.contains("data: [{\"base\":\"compass/a\",\"online\":true}]"))
        #expect(
            first.suffix(2) == [
                "data: {\"topic\":\"status\",\"payload\":\"online\",\"stored\":false,\"age\":0}",
                "data: {\"topic\":\"heading\",\"payload\":\"5\",\"stored\":false,\"age\":0}",
            ])
        #expect(lines() == [])
        take("compass/a/heading", "6", at: 1)
        take("compass/a/heading", "7", at: 1)
        #expect(
            lines(at: 1.25) == [
                "data: {\"topic\":\"heading\",\"payload\":\"7\",\"stored\":false,\"age\":250}"
            ])
    }

    @Test("gives a sign of life every five seconds, though nothing is new")
    mutating func givesSigns() {
        _ = lines()
        #expect(lines(at: 4.9) == [])
        #expect(lines(at: 5) == ["event: sign", "data: \"2026-11-30T00:00:00.000Z\""])
    }

    @Test("tells that a topic was taken away")
    mutating func tellsRemoval() {
        take("compass/a/status", "online")
        take("compass/a/destination", "{}")
        _ = lines()
        take("compass/a/destination", "")
        #expect(
            lines() == [
                "data: {\"topic\":\"destination\",\"payload\":null,\"stored\":false,\"age\":0}"
            ])
    }

    @Test("chooses a vessel that is online for whoever has not chosen")
    mutating func choosesOnline() {
        take("compass/a/status", "offline")
        take("compass/b/status", "online")
        #expect(lines().contains("data: \"compass/b\""))
    }

    @Test("chooses for a viewer that was there first")
    mutating func choosesLater() {
        _ = lines()
        #expect(take("compass/a/heading", "5"))
        #expect(lines().contains("data: \"compass/a\""))
    }

    @Test("takes nothing that the page does not show, and nothing too large")
    mutating func isBounded() {
        #expect(!take("compass/a/steer/set", "5"))
        #expect(!take("compass/a/anything", "5"))
        #expect(!take("compass/a/heading", String(repeating: "x", count: 8193)))
        for number in 0..<100 { take("compass/\(number)/status", "online") }
        #expect(store.list.count == 32)
        #expect(store.refused == 69)
    }

    @Test("makes room for a new vessel: nothing kept goes first, then who has been offline longest")
    mutating func makesRoom() {
        for number in 0..<32 { take("compass/\(number)/status", "online", at: Double(number)) }
        #expect(!take("compass/new/status", "online", at: 40))
        take("compass/20/status", "offline", at: 50)
        take("compass/10/status", "offline", at: 60)
        take("compass/30/status", "", at: 70)
        for (name, gone) in [("a", "30"), ("b", "20"), ("c", "10")] {
            #expect(take("compass/\(name)/status", "online", at: 80))
            #expect(store["compass/\(name)"] != nil)
            #expect(store["compass/\(gone)"] == nil)
            #expect(store.list.count == 32)
        }
        #expect(!take("compass/d/status", "online", at: 90))
        #expect(lines(at: 100).contains { $0.contains("compass/c") && !$0.contains("compass/10\"") })
    }

    @Test("a topic of no known vessel that is taken away makes none known")
    mutating func ignoresRemoval() {
        #expect(!take("compass/a/status", ""))
        #expect(store.vessel("compass/a") == nil)
    }

    @Test("forgets what a broker that came back does not bring again")
    mutating func forgets() {
        take("compass/a/status", "online", at: 0)
        take("compass/a/heading", "5", at: 0)
        take("compass/a/status", "online", at: 10)
        store.forget(olderThan: at(9))
        #expect(store["compass/a"]?.payload(of: .heading) == nil)
        #expect(store["compass/a"]?.isOnline == true)
        store.forget(olderThan: at(11))
        #expect(store["compass/a"] == nil)
        #expect(store.list.isEmpty)
    }

    @Test(
        "no payload breaks out of its event",
        arguments: [
            "a\n\nevent: broker\ndata: {}\n\n", "\r\n\r\n", "\"}", "\\", "\u{0}\u{1b}\u{7f}", "\u{2028}",
        ])
    mutating func staysInside(payload: String) {
        take("compass/a/heading", payload)
        let last = lines().last ?? ""
        #expect(last.hasPrefix("data: {\"topic\":\"heading\",\"payload\":\""))
        #expect(last.hasSuffix("\",\"stored\":false,\"age\":0}"))
        #expect(last.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
    }

    @Test("repairs bytes that are no text")
    mutating func repairs() {
        _ = store.take("compass/a/heading", [0x61, 0xFF, 0x62], isStored: true, at: at(0))
        #expect(
            lines().last
                == "data: {\"topic\":\"heading\",\"payload\":\"a\u{FFFD}b\",\"stored\":true,\"age\":0}")
    }

    @Test(
        "knows from the diagnostics whether a vessel takes commands",
        arguments: [
            ("{\"commands\":{\"accepted\":0,\"refused\":0}}", true), ("{}", false),
            ("{\"commands\":null}", false),
            ("nonsense", false),
        ])
    mutating func knowsCommands(diagnostics: String, takes: Bool) {
        take("compass/a/diagnostics", diagnostics)
        #expect(store["compass/a"]?.takesCommands == takes)
    }
}
