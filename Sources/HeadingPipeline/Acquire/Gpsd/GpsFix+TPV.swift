extension GpsFix {
    /// Reads a TPV report, or says why it is refused. `magvar` and `magtrack` are left alone: they come from
    /// gpsd's own ten-year-old table, with a sign that its manual and its code tell differently.
    static func report(_ object: JSONObject) -> GpsdReport {
        var fix = GpsFix(mode: mode(object))
        fix.device = object.string("device")
        fix.time = object.string("time").flatMap { UTCTime(rfc3339: $0) }.flatMap {
            dates.contains($0) ? $0 : nil
        }
        guard fix.mode != .none else { return .fix(fix) }
        fix.readErrors(object)
        fix.readMotion(object)
        if fix.mode == .threeDimensional { fix.readHeights(object) }
        // A receiver without a solution may report the middle of the Earth: 0, 0 and 6378 km deep.
        let heights = [fix.altitude, fix.ellipsoidHeight].compactMap { $0 }
        guard heights.allSatisfy(Self.heights.contains) else { return .refused(.badReport) }
        return fix.readPosition(object).map(GpsdReport.refused) ?? .fix(fix)
    }

    /// gpsd's mode 0 (not known yet) tells no more than 1 (no fix).
    private static func mode(_ object: JSONObject) -> Mode {
        object.number("mode").flatMap(Int.init(exactly:)).flatMap(Mode.init) ?? .none
    }

    private mutating func readPosition(_ object: JSONObject) -> Rejection? {
        guard let latitude = object.number("lat"), let longitude = object.number("lon") else { return nil }
        let hasErrors = horizontalError != nil || object.positive("epv") != nil
        if latitude == 0, longitude == 0, !hasErrors { return .zeroPosition }
        position = GeoPosition(latitude: .degrees(latitude), longitude: .degrees(longitude))
        return position == nil ? .badReport : nil
    }

    /// Below every sea bed, and above every balloon.
    private static let heights = Length.meters(-12_000)...Length.meters(100_000)

    private mutating func readHeights(_ object: JSONObject) {
        altitude = (object.number("altMSL") ?? object.number("alt")).map(Length.meters)
        ellipsoidHeight = object.number("altHAE").map(Length.meters)
    }

    /// GPS began on the first; no counter of weeks, run over or not, gives a day outside.
    private static let dates = UTCTime(year: 1980, month: 1, day: 6)..<UTCTime(year: 2100, month: 1, day: 1)
    /// Twice what receivers on free sale may give, m/s.
    private static let speeds = 0.0...1000

    private mutating func readMotion(_ object: JSONObject) {
        if let value = object.number("speed"), Self.speeds.contains(value) { speed = .metersPerSecond(value) }
        if let value = object.number("track"), (0...360).contains(value) {
            course = Angle.degrees(value).foldedPositive
        }
    }

    private mutating func readErrors(_ object: JSONObject) {
        let east = object.positive("epx")
        let north = object.positive("epy")
        let components = [east ?? north, north ?? east].compactMap { $0 }
        if let radius = object.positive("eph") {
            horizontalError = .meters(radius)
        } else if components.count == 2 {
            horizontalError = .meters(
                (components[0] * components[0] + components[1] * components[1]).squareRoot())
        }
        courseError = object.positive("epd").map(Angle.degrees)
        speedError = object.positive("eps").flatMap {
            Self.isReceiversOwn(speedError: $0, positionErrors: components) ? .metersPerSecond($0) : nil
        }
    }

    /// Where a receiver gives no error of its speed, gpsd puts there the sum of two position errors divided by
    /// the time between them (`gpsd_error_model` in libgps_core.c): tens of metres per second, which says
    /// nothing of a speed measured by Doppler shift.
    private static func isReceiversOwn(speedError: Double, positionErrors: [Double]) -> Bool {
        positionErrors.allSatisfy { speedError < $0 }
    }
}

extension JSONObject {
    /// An error estimate; 0 is gpsd's "don't know".
    fileprivate func positive(_ name: StaticString) -> Double? {
        number(name).flatMap { $0 > 0 ? $0 : nil }
    }
}
