// Places and courses as the documents of messages give them.
extension Waypoint {
    static let allowed =
        "{\"latitude\": -90 to 90, \"longitude\": -180 to 180, \"name\": text of up to 100 characters}"

    init(_ object: JSONObject) throws(ValueFault) {
        let latitude = try Self.degrees(object, "latitude", upTo: 90)
        let longitude = try Self.degrees(object, "longitude", upTo: 180)
        guard let position = GeoPosition(latitude: latitude, longitude: longitude) else {
            throw ValueFault("is no place on Earth")
        }
        let name = object.string("name")
        if name == nil, object.has("name") { throw ValueFault("has a name that is no text") }
        self.init(position: position, name: try name.flatMap(Self.checkedName))
    }

    private static func degrees(
        _ object: JSONObject, _ name: StaticString, upTo limit: Double
    ) throws(ValueFault) -> Angle {
        guard let value = object.number(name) else { throw ValueFault("has no number as \(name)") }
        guard abs(value) <= limit else { throw ValueFault("has a \(name) that is out of range") }
        return .degrees(value)
    }

    /// An empty name is none.
    private static func checkedName(_ name: String) throws(ValueFault) -> String? {
        guard name.unicodeScalars.count <= 100 else { throw ValueFault("has a name that is too long") }
        guard name.unicodeScalars.allSatisfy(\.isPrintable) else {
            throw ValueFault("has a name with control characters")
        }
        return name.isEmpty ? nil : name
    }
}

extension OrderedCourse {
    init(_ object: JSONObject) throws(ValueFault) {
        guard let degrees = object.number("value") else { throw ValueFault("has no number as value") }
        self.init(try ValueFormat.courseToSteer.read(PlainDecimal.text(degrees)))
        guard object.has("reference") else { return }
        guard let word = object.string("reference") else {
            throw ValueFault("has a reference that is no text")
        }
        do throws(ValueFault) { reference = try ValueFormat.oneOf.read(word) } catch {
            throw ValueFault("has a reference that \(error.reason)")
        }
    }
}

extension JSONObject {
    /// Reads `text`, which must be one object and nothing else. What it says beyond what is looked for is passed over.
    static func readOne<Value>(
        _ text: String, _ read: (JSONObject) throws(ValueFault) -> Value
    ) throws(ValueFault) -> Value {
        if let fault = CommandText.fault(in: text) { throw ValueFault(fault) }
        let value = one(in: Array(text.utf8)) { (object) throws(ValueFault) in
            guard !object.namesOneTwice else { throw ValueFault("names a member twice") }
            return try read(object)
        }
        guard let value else { throw ValueFault("is not one JSON object") }
        return try value.get()
    }

    /// What `read` makes of the one object that the bytes are; `nil`: they are not one.
    static func one<Value, Fault: Error>(
        in bytes: [UInt8], _ read: (JSONObject) throws(Fault) -> Value
    ) -> Result<Value, Fault>? {
        var found: [Result<Value, Fault>] = []
        let isWhole = bytes.withUnsafeBytes { bytes in
            forEach(in: bytes) { object in
                do throws(Fault) { found.append(.success(try read(object))) } catch {
                    found.append(.failure(error))
                }
            }
        }
        return isWhole && found.count == 1 ? found.first : nil
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !properties.isNoncharacterCodePoint
        }
    }
}
