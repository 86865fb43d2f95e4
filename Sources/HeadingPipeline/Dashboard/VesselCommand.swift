/// A command from the page to a vessel: `{"vessel":BASE,"command":"steer","value":95}`, checked as the agent will
/// check the message that it becomes.
package struct VesselCommand: Hashable, Sendable {
    package let base: String
    private let topic: CommandTopic
    package let payload: [UInt8]

    package static let largestRequest = 2048

    /// Below the base topic.
    package var path: String { topic.rawValue + "/set" }

    package init(_ request: [UInt8]) throws(CommandFault) {
        guard request.count <= Self.largestRequest,
            CommandText.fault(in: String(decoding: request, as: UTF8.self)) == nil
        else { throw Self.notOne }
        let command = JSONObject.one(in: request) { (object) throws(CommandFault) in try VesselCommand(object)
        }
        guard let command else { throw Self.notOne }
        self = try command.get()
    }

    private init(_ request: JSONObject) throws(CommandFault) {
        guard let base = request.string("vessel"),
            let topic = request.string("command").flatMap(CommandTopic.init(rawValue:)),
            let payload = Self.payload(of: topic, request)
        else { throw Self.notOne }
        _ = try CommandPayload(topic, payload)
        self.base = base
        self.topic = topic
        self.payload = payload
    }

    private static let notOne = CommandFault(
        "is no command", "{\"vessel\": base topic, \"command\": destination, steer, trip or reference, ...}")

    /// `nil`: the page cannot ask for that.
    private static func payload(of topic: CommandTopic, _ request: JSONObject) -> [UInt8]? {
        switch topic {
        case .steer:
            request.isNull("value")
                ? [] : request.number("value").flatMap { steer($0, request.string("reference")) }
        case .destination: request.isNull("value") ? [] : destination(request)
        case .trip: Array("reset".utf8)
        case .reference: request.string("value").map { Array($0.utf8) }
        case .smoothing, .calibration, .headingOffset: nil
        }
    }

    /// From the north that the page shows; without one, from the vessel's.
    private static func steer(_ degrees: Double, _ reference: String?) -> [UInt8]? {
        guard let value = course(degrees), let reference else { return course(degrees) }
        guard let reference = Settings.Reference(rawValue: reference) else { return nil }
        return Array("{\"value\":".utf8) + value + Array(",\"reference\":\"\(reference.rawValue)\"}".utf8)
    }

    /// Within a turn or two.
    private static func course(_ degrees: Double) -> [UInt8]? {
        guard abs(degrees) <= 720 else { return nil }
        var bytes: [UInt8] = []
        let tenths = (Angle.degrees(degrees).foldedPositive.degrees * 10).rounded()
        bytes.appendDecimal(tenths == 3600 ? 0 : tenths / 10, places: 1)
        return bytes
    }

    private static func destination(_ request: JSONObject) -> [UInt8] {
        var writer = PayloadWriter()
        writer.begin()
        writer.text("name", request.string("name"))
        writer.number("latitude", request.number("latitude"), places: 7)
        writer.number("longitude", request.number("longitude"), places: 7)
        writer.end()
        return writer.bytes
    }
}
