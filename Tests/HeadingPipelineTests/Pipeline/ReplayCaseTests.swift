import HeadingPipeline
import Testing

/// Recordings with what is printed when they are replayed. The bytes of `expected` are our own output: they tell
/// that something has changed, not that it was right. What is right is said of each case by itself.
@Suite("Replayed cases")
struct ReplayCaseTests {
    static let names = Fixtures.cases("replay")

    private func file(_ name: String, _ file: String) -> String {
        "\(Fixtures.folder)/replay/\(name)/\(file)"
    }

    private func replayed(_ name: String) throws -> [String] {
        let settings = try Settings.load(readBytes(file(name, "settings.conf")), file: name).settings
        let content = try Recordings.read(readBytes(file(name, "readings")))
        #expect(content.refused.isEmpty && !content.isCutOff)
        return Recordings.replayed(
            content.readings, settings, buildDate: try #require(content.head?.buildDate))
    }

    @Test(
        "print what they printed before (if that is meant: tools/renew-replays)", arguments: names)
    func unchanged(name: String) throws {
        let expected = try readFile(file(name, "expected")).split(separator: "\n").map(String.init)
        let printed = try replayed(name)
        let difference = zip(printed, expected).enumerated().first { $1.0 != $1.1 }
        #expect(
            difference == nil || difference?.element.0 == difference?.element.1,
            "line \((difference?.offset ?? 0) + 1)")
        #expect(printed.count == expected.count)
    }

    @Test("are all there")
    func complete() { #expect(Self.names.count >= 3) }

    /// The field of 20 µT to magnetic north and 44 µT down has √(20² + 44²) = 48.33 µT and a dip of
    /// atan(44 / 20) = 65.6°. The magnetometer is unplugged at 3 s, is back on 90° at 6 s, and silent from 8 s on, so
    /// that it is offline at 11 s.
    @Test("a lost and returned sensor: offline, online on the new heading, offline when it falls silent")
    func lostAndReturned() throws {
        let lines = try replayed("lost-and-returned")
        let status = values(of: "compass/boat/magnetometer/status", in: lines)
        #expect(status == ["offline", "online", "offline", "online", "offline"])
        let headings = values(of: "compass/boat/heading/magnetic", in: lines)
        #expect(headings.map { $0.prefix(13) } == ["{\"value\":60.0", "{\"value\":90.0"])
        let field = try #require(values(of: "compass/boat/field", in: lines).last)
        #expect(field.hasPrefix("{\"value\":48.33,") && field.contains("\"inclination\":65.6,"))
    }

    /// 60° magnetic and 10° east make 70° true; 2.572 m/s are 5 knots; she begins at 50° N.
    @Test("a manual declination: true heading is magnetic heading and declination")
    func manualDeclination() throws {
        let lines = try replayed("manual-declination")
        let base = "boat/compass"
        for (topic, start) in [
            ("heading/magnetic", "{\"value\":60.0,"), ("heading/true", "{\"value\":70.0,"),
            ("declination", "{\"value\":10.00,"), ("speed", "{\"value\":5.00,\"unit\":\"kn\""),
            ("course", "{\"value\":70.0,"), ("position", "{\"latitude\":50.0000"),
        ] {
            let value = try #require(values(of: "\(base)/\(topic)", in: lines).last, "\(topic)")
            #expect(value.hasPrefix(start), "\(topic)")
        }
        let heading = try #require(values(of: "\(base)/heading", in: lines).last)
        #expect(heading.contains("\"reference\":\"true\"") && heading.contains("\"cardinal\":\"ENE\""))
        #expect(values(of: "\(base)/gps/status", in: lines) == ["offline", "online"])
    }

    // MARK: Cases with the truth beside the readings (tools/make-replay-cases)

    struct Expectation: Sendable {
        var name: String
        /// Degrees: root mean square of the errors, and the median of what is stated.
        var rms: Double
        var stated: Double
    }

    static let expectations = [
        Expectation(name: "calm-turn", rms: 2, stated: 8),
        Expectation(name: "heeled-without-gyroscope", rms: 4, stated: 20),
        Expectation(name: "steel-pier", rms: 6, stated: 25),
    ]

    private struct Heading {
        var value: Double
        var accuracy: Double
        var quality: String
        var time: String
    }

    private func headings(_ name: String) throws -> [Heading] {
        try values(of: "compass/boat/heading/magnetic", in: replayed(name)).map { payload -> Heading in
            func member(_ key: String) throws -> String {
                let parts = payload.split(separator: ",").map { $0.filter { !"{}\"".contains($0) } }
                let part = try #require(parts.first { $0.hasPrefix(key + ":") }, "\(payload)")
                return String(part.dropFirst(key.count + 1))
            }
            return Heading(
                value: try #require(Double(try member("value"))),
                accuracy: try #require(Double(try member("accuracy"))), quality: try member("quality"),
                time: try member("time"))
        }
    }

    private func truth(_ name: String) throws -> [String: Double] {
        var truth: [String: Double] = [:]
        for line in try readFile(file(name, "readings")).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 4, words[1] == "truth" else { continue }
            truth[String(words[2])] = Double(words[3])
        }
        return truth
    }

    private func error(_ heading: Heading, _ truth: [String: Double]) throws -> Double {
        let right = try #require(truth[heading.time], "no truth at \(heading.time)")
        return Angle.shortest(from: .degrees(right), to: .degrees(heading.value)).magnitude.degrees
    }

    @Test(
        "the true heading lies within what is stated, and that is no wider than it need be",
        arguments: expectations)
    func honest(expectation: Expectation) throws {
        let truth = try truth(expectation.name)
        let headings = try headings(expectation.name)
        #expect(headings.count >= 100)
        let errors = try headings.map { try error($0, truth) }
        // Both are printed with one decimal.
        let covered = zip(errors, headings).count { $0 <= $1.accuracy + 0.1 }
        #expect(Double(covered) >= 0.95 * Double(headings.count))
        let square = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
        #expect(square.squareRoot() <= expectation.rms)
        let stated = headings.map(\.accuracy).sorted()
        #expect(stated[stated.count / 2] <= expectation.stated)
    }

    @Test("beside a steel pier the heading is no longer good, and it is again afterwards")
    func steelPier() throws {
        let headings = try headings("steel-pier")
        // The field is bent by 15 µT at 16 s.
        func quality(at seconds: ClosedRange<Int>) -> Set<String> {
            Set(
                headings.filter { seconds.contains(Int($0.time.dropFirst(17).prefix(2)) ?? -1) }.map(
                    \.quality))
        }
        #expect(quality(at: 4...11) == ["good"])
        #expect(!quality(at: 15...17).contains("good"))
    }

    @Test("a sensor that nobody calibrated never claims less than 60 degrees")
    func neverCalibrated() throws {
        let headings = try headings("never-calibrated")
        #expect(headings.count >= 50)
        #expect(headings.allSatisfy { $0.accuracy >= 60 && $0.quality == "uncalibrated" })
    }

    private func values(of topic: String, in lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix(topic + " ") }.map { String($0.dropFirst(topic.count + 1)) }
    }
}
