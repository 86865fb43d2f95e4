import HeadingPipeline

/// A place and a time for which somebody asks the magnetic model.
struct FieldQuery {
    let position: GeoPosition
    let height: Length
    let decimalYear: Double

    /// From the words of the command line; no date is today.
    init(
        latitude: String, longitude: String, height: String?, date: String?
    ) throws(UsageError) {
        let latitude = try Self.number(latitude, "latitude", -90...90, "degrees")
        let longitude = try Self.number(longitude, "longitude", -180...360, "degrees")
        guard let position = GeoPosition(latitude: .degrees(latitude), longitude: .degrees(longitude)) else {
            throw UsageError("\(latitude) \(longitude) is no place")
        }
        self.position = position
        self.height = .meters(try Self.number(height ?? "0", "height", -10_000...850_000, "metres"))
        decimalYear = try date.map(Self.decimalYear) ?? SaneClock.time().decimalYear
    }

    /// From a line of `latitude longitude height date`, of which the last two may be left out; `nil` for a line
    /// without a query.
    init?(line: String) throws(UsageError) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        guard (2...4).contains(words.count) else {
            throw UsageError("\(words.count) words where LAT LON [HEIGHT [DATE]] are wanted")
        }
        try self.init(
            latitude: words[0], longitude: words[1], height: words.count > 2 ? words[2] : nil,
            date: words.count > 3 ? words[3] : nil)
    }

    private static func number(
        _ text: String, _ name: String, _ range: ClosedRange<Double>, _ unit: String
    ) throws(UsageError) -> Double {
        if let value = Double(text), range.contains(value) { return value }
        let bounds = "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
        throw UsageError("\(name) \(text) is not a number of \(unit) from \(bounds)")
    }

    private static let years = 1900.0...2100

    private static func decimalYear(_ text: String) throws(UsageError) -> Double {
        let moment = UTCTime(rfc3339: text) ?? UTCTime(rfc3339: text + "T00:00:00Z")
        if let year = moment?.decimalYear ?? Double(text), years.contains(year) { return year }
        throw UsageError("date \(text) is not a day (2026-12-01) or year (2026.915) from 1900 to 2100")
    }
}
