import Testing

@testable import HeadingPipeline

/// What templates look for is what the agent publishes.
@Suite("Topics of Home Assistant's entities")
struct DiscoveryTopicTests {
    /// One whole payload of each topic, from a vessel with everything.
    private func payloads() throws -> [String: JSONValue] {
        var boat = Boat(Boat.calibrated())
        boat.gyroscope(.zero)
        let place = try #require(GeoPosition(latitude: .degrees(50.33), longitude: .degrees(-4.63)))
        boat.take(.command(.destination(Waypoint(position: place, name: "Fowey"))))
        boat.take(.command(.steer(OrderedCourse(.degrees(90)))))
        boat.fix(50.3, -4.2, time: UTCTime(year: 2026, month: 11, day: 30))
        boat.rest(Body(heading: 60), seconds: 2)
        boat.gyroscope(.zero)
        var payloads: [String: JSONValue] = [:]
        for message in boat.messages { payloads[message.topic.path] = JSONValue(message.payload) }
        var writer = PayloadWriter()
        Diagnostics(
            pipeline: boat.pipeline, rates: SourceRates(at: boat.now), at: boat.now, uptime: .seconds(5),
            version: "1", libraries: "none", broker: .init(connects: 1, messages: 1, lastFault: nil)
        ).write(to: &writer)
        payloads[Topic.diagnostics.path] = JSONValue(writer.bytes)
        CalibrationStatus(quality: VesselCalibration.none).write(to: &writer, time: nil)
        payloads[Topic.calibration.path] = JSONValue(writer.bytes)
        return payloads
    }

    @Test("each member that a template names is in the topic's payload")
    func members() throws {
        let payloads = try payloads()
        var settings = Settings()
        settings.commands.isEnabled = true
        let device = HomeAssistantDevice(settings: settings, id: "x", base: "b", version: "1")
        let message = JSONValue(
            HomeAssistantAnnouncement(
                device, settings: settings, present: Set(Source.allCases), known: []
            ).payload)
        var seen = 0
        for (key, component) in try #require(message?["cmps"]?.members) {
            for (topic, template) in [("stat_t", "val_tpl"), ("json_attr_t", "json_attr_tpl")] {
                guard let name = component[topic]?.text, let text = component[template]?.text else {
                    continue
                }
                let payload = try #require(payloads[String(name.dropFirst(2))], "\(key): \(name)")
                for path in paths(in: text) {
                    seen += 1
                    #expect(has(payload, path), "\(key): \(path.joined(separator: "."))")
                }
            }
        }
        #expect(seen > 30)
    }

    /// What stands behind each `value_json.`.
    private func paths(in template: String) -> [[String]] {
        let words = template.split { !$0.isLetter && $0 != "_" && $0 != "." }
        return words.filter { $0.hasPrefix("value_json.") }.map {
            $0.split(separator: ".").dropFirst().map(String.init)
        }
    }

    private func has(_ payload: JSONValue, _ path: [String]) -> Bool {
        var value: JSONValue? = payload
        for name in path { value = value?[name] }
        return value != nil
    }
}
