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
        var found: [Result<Value, ValueFault>] = []
        var text = text
        let isWhole = text.withUTF8 { bytes in
            forEach(in: UnsafeRawBufferPointer(bytes)) { object in
                found.append(
                    Result { () throws(ValueFault) in
                        guard !object.namesOneTwice else { throw ValueFault("names a member twice") }
                        return try read(object)
                    })
            }
        }
        guard isWhole, found.count == 1, let value = found.first else {
            throw ValueFault("is not one JSON object")
        }
        return try value.get()
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
