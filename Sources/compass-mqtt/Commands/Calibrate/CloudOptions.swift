import HeadingPipeline

/// What `calibrate --from FILE` is told of the file.
struct CloudOptions {
    var file: String
    var unit: FieldUnit?
    /// Where and when the cloud was taken, as far as is told.
    var expected: EarthField?
    /// Of a vessel that turned on the level, so that nothing but the circle is looked for.
    var isLevelTurn: Bool

    init(file: String, isLevelTurn: Bool, _ arguments: inout ArgumentReader) throws(UsageError) {
        self.file = file
        self.isLevelTurn = isLevelTurn
        unit = try arguments.option("--unit").map(Self.unit)
        expected = try Self.field(
            place: try arguments.option("--place"), date: try arguments.option("--date"))
    }

    private static func unit(_ text: String) throws(UsageError) -> FieldUnit {
        if let unit = FieldUnit(rawValue: text) ?? FieldUnit(word: text) { return unit }
        let names = FieldUnit.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("unknown unit \(text), known are \(names)")
    }

    private static func field(place: String?, date: String?) throws(UsageError) -> EarthField? {
        guard let place else {
            if date != nil { throw UsageError("--date needs --place") }
            return nil
        }
        let parts = place.split(separator: ",").map(String.init)
        guard parts.count == 2 else { throw UsageError("--place \(place) is not LAT,LON") }
        let query = try FieldQuery(latitude: parts[0], longitude: parts[1], height: nil, date: date)
        let elements = MagneticModel.wmm2025.elements(
            at: query.position, height: query.height, decimalYear: query.decimalYear)
        return EarthField(strength: elements.total, inclination: elements.inclination)
    }
}
