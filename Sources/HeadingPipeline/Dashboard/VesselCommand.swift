/// A command from the page to a vessel, checked: `{"vessel":BASE,"command":"steer","value":95}`.
package struct VesselCommand: Hashable, Sendable {
    package let base: String
    /// Below the base topic.
    package let path: String
    package let payload: [UInt8]

    package static let largestRequest = 2048

    /// `nil`: not one that a vessel could understand.
    package init?(_ request: [UInt8]) {
        guard request.count <= Self.largestRequest else { return nil }
        var found: [VesselCommand?] = []
        let isObject = request.withUnsafeBytes { bytes in
            JSONObject.forEach(in: bytes) { found.append(VesselCommand($0)) }
        }
        guard isObject, found.count == 1, let command = found.first, let command else { return nil }
        self = command
    }

    private init(_ base: String, _ path: String, _ payload: [UInt8]) {
        self.base = base
        self.path = path
        self.payload = payload
    }

    private init?(_ request: JSONObject) {
        guard let base = request.string("vessel"), let command = request.string("command") else { return nil }
        switch command {
        case "steer":
            guard let payload = Self.steer(request) else { return nil }
            self.init(base, "steer/set", payload)
        case "destination":
            guard let payload = Self.destination(request) else { return nil }
            self.init(base, "destination/set", payload)
        case "trip":
            self.init(base, "trip/set", Array("reset".utf8))
        case "reference":
            guard let value = request.string("value"), value == "true" || value == "magnetic" else {
                return nil
            }
            self.init(base, "reference/set", Array(value.utf8))
        default:
            return nil
        }
    }

    /// A course in degrees, or `null`: none any more.
    private static func steer(_ request: JSONObject) -> [UInt8]? {
        if request.isNull("value") { return [] }
        guard let degrees = request.number("value"), abs(degrees) <= 720 else { return nil }
        var bytes: [UInt8] = []
        let tenths = (Angle.degrees(degrees).foldedPositive.degrees * 10).rounded()
        bytes.appendDecimal(tenths == 3600 ? 0 : tenths / 10, places: 1)
        return bytes
    }

    /// A place with a name, or `null`: none any more.
    private static func destination(_ request: JSONObject) -> [UInt8]? {
        if request.isNull("value") { return [] }
        guard let latitude = request.number("latitude"), abs(latitude) <= 90,
            let longitude = request.number("longitude"), abs(longitude) <= 180
        else { return nil }
        let name = request.string("name") ?? ""
        guard name.unicodeScalars.count <= 64 else { return nil }
        var writer = PayloadWriter()
        writer.begin()
        writer.text("name", name)
        writer.number("latitude", latitude, places: 7)
        writer.number("longitude", longitude, places: 7)
        writer.end()
        return writer.bytes
    }
}
