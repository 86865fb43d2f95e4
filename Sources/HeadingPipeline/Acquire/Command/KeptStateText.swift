/// A file with what is kept cannot be understood.
package struct KeptStateFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let line: Int?
    package let reason: String

    package var description: String { (line.map { "line \($0): " } ?? "") + reason }
}

// Written in the grammar of the config file, so that people can read it.
extension KeptState {
    package static let largestSize = ConfigFile.largestSize

    package var text: String {
        var lines = [
            "# What operators have set by commands, and the trip. Written by compass-mqtt.",
            "# While commands are enabled, this goes before the config file.",
        ]
        lines += section("heading", settings.map { (key($0), value($0)) })
        if let destination { lines += section("destination", entries(destination)) }
        if let steer { lines += section("steer", entries(steer)) }
        lines += section("trip", entries(trip))
        lines += section("stored_messages", storedEntries { $0.stored.map { [$0] } ?? [] })
        lines += section("perhaps_stored_messages", storedEntries(\.candidates))
        return lines.map { $0 + "\n" }.joined()
    }

    private func section(_ name: String, _ entries: [(String, String)]) -> [String] {
        guard !entries.isEmpty else { return [] }
        return ["", "[\(name)]"] + entries.map { "\($0.0) = \(ConfigLine.written($0.1))" }
    }

    private func key(_ setting: OperatorCommand) -> String { setting.topic.setting?.key ?? "" }

    private func value(_ setting: OperatorCommand) -> String {
        var heading = Settings.Heading()
        heading.adopt(setting)
        return heading.text(of: setting.topic) ?? ""
    }

    private func entries(_ waypoint: Waypoint) -> [(String, String)] {
        [
            ("latitude", decimalText(waypoint.position.latitude.degrees, places: 9)),
            ("longitude", decimalText(waypoint.position.longitude.degrees, places: 9)),
        ] + (waypoint.name.map { [("name", $0)] } ?? [])
    }

    private func entries(_ order: OrderedCourse) -> [(String, String)] {
        [("course", ValueFormat.courseToSteer.write(order.course))]
            + (order.reference.map { [("reference", ValueFormat.oneOf.write($0))] } ?? [])
    }

    private func entries(_ trip: TripTotals) -> [(String, String)] {
        var entries = [
            ("distance_meters", decimalText(trip.distance.meters, places: 1)),
            ("max_speed_meters_per_second", decimalText(trip.maximumSpeed.metersPerSecond, places: 3)),
        ]
        if let since = trip.since {
            var bytes: [UInt8] = []
            bytes.appendRFC3339(since)
            entries.append(("since", String(decoding: bytes, as: UTF8.self)))
        }
        return entries
    }

    private func storedEntries(
        _ fingerprints: (StoredMessages.Known) -> [UInt64]
    ) -> [(String, String)] {
        CommandTopic.allCases.compactMap { topic in
            guard let known = storedMessages.known[topic].map(fingerprints), !known.isEmpty else {
                return nil
            }
            return (topic.rawValue, known.map { String($0, radix: 16) }.joined(separator: " "))
        }
    }
}

// Read whole or not at all.
extension KeptState {
    package init(parsing bytes: [UInt8]) throws(KeptStateFault) {
        self.init()
        let file = ConfigFile(bytes, name: "")
        if let fault = file.faults.first { throw KeptStateFault(line: fault.line, reason: fault.reason) }
        var guidance = GuidanceEntries()
        for entry in file.entries {
            do throws(ValueFault) { try take(entry, &guidance) } catch {
                throw KeptStateFault(line: entry.line, reason: "\(entry.key) \(error.reason)")
            }
        }
        destination = try guidance.waypoint()
        steer = try guidance.orderedCourse()
    }

    private mutating func take(_ entry: ConfigFile.Entry, _ guidance: inout GuidanceEntries)
        throws(ValueFault)
    {
        let value = entry.value
        switch (entry.section, entry.key) {
        case ("heading", "reference"): reference = try ValueFormat.oneOf.read(value)
        case ("heading", "smoothing"): smoothing = try ValueFormat.smoothing.read(value)
        case ("heading", "offset"): headingOffset = try ValueFormat.headingOffset.read(value)
        case ("destination", "latitude"): guidance.latitude = try ValueFormat.degrees(-90...90).read(value)
        case ("destination", "longitude"):
            guidance.longitude = try ValueFormat.degrees(-180...180).read(value)
        case ("destination", "name"): guidance.name = try ValueFormat.text().read(value)
        case ("steer", "course"): guidance.course = try ValueFormat.courseToSteer.read(value)
        case ("steer", "reference"): guidance.courseReference = try ValueFormat.oneOf.read(value)
        case ("trip", "distance_meters"): trip.distance = try ValueFormat.meters(0...1e12).read(value)
        case ("trip", "max_speed_meters_per_second"):
            trip.maximumSpeed = try ValueFormat.metersPerSecond(0...1e6).read(value)
        case ("trip", "since"):
            guard let since = UTCTime(rfc3339: value) else { throw ValueFault("is no time") }
            trip.since = since
        case ("stored_messages", let topic): try takeStored(topic, value, isSure: true)
        case ("perhaps_stored_messages", let topic): try takeStored(topic, value, isSure: false)
        default: throw ValueFault("is not known")
        }
    }

    private mutating func takeStored(_ name: String, _ value: String, isSure: Bool) throws(ValueFault) {
        guard let topic = CommandTopic(rawValue: name) else { throw ValueFault("is not known") }
        let words = value.split(separator: " ")
        let fingerprints = words.compactMap { UInt64($0, radix: 16) }
        guard fingerprints.count == words.count else { throw ValueFault("is no list of fingerprints") }
        if isSure, fingerprints.count == 1, let stored = fingerprints.first {
            storedMessages.restore(stored: stored, of: topic)
        } else {
            storedMessages.restore(fingerprints, of: topic)
        }
    }
}

private struct GuidanceEntries {
    var latitude: Angle?
    var longitude: Angle?
    var name: String?
    var course: Angle?
    var courseReference: Settings.Reference?

    func orderedCourse() throws(KeptStateFault) -> OrderedCourse? {
        guard course != nil || courseReference == nil else {
            throw KeptStateFault(line: nil, reason: "the course to steer is not complete")
        }
        return course.map { OrderedCourse($0, from: courseReference) }
    }

    func waypoint() throws(KeptStateFault) -> Waypoint? {
        guard latitude != nil || longitude != nil || name != nil else { return nil }
        guard let latitude, let longitude,
            let position = GeoPosition(latitude: latitude, longitude: longitude)
        else { throw KeptStateFault(line: nil, reason: "the destination is not complete") }
        return Waypoint(position: position, name: name)
    }
}
