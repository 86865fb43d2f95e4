/// The table of all entities.
struct HomeAssistantEntities {
    let units: Settings.Units
    /// The sources that there are; what others would give is left out.
    let present: Set<Source>

    var all: [HomeAssistantEntity] {
        (measured + accuracies + diagnostics).filter { $0.source.map(present.contains) ?? true }
    }

    private var measured: [HomeAssistantEntity] {
        [
            .direction("heading", "Heading", .heading, of: .magnetometer, icon: "compass"),
            .direction("heading_magnetic", "Magnetic heading", .headingMagnetic, of: .magnetometer),
            .direction("heading_true", "True heading", .headingTrue, of: .magnetometer),
            .direction("course", "Course", .course, of: .gps, icon: "navigation"),
            .speed("speed", "Speed", .speed, of: .gps, units.speed),
            .value("rate_of_turn", "Rate of turn", .rateOfTurn, of: turning, "°/min", icon: "rotate-right"),
            .value("roll", "Roll", .roll, of: .accelerometer, "°", icon: "axis-x-rotate-clockwise"),
            .value("pitch", "Pitch", .pitch, of: .accelerometer, "°", icon: "axis-y-rotate-clockwise"),
            .value("declination", "Declination", .declination, "°", icon: "angle-acute"),
            .position("position", "Position", .position, of: .gps),
            .interference("interference", "Interference", .field, of: .magnetometer),
            .problem("low_accuracy", "Low accuracy", .heading, of: .magnetometer, Self.lowAccuracy),
        ]
    }

    private var accuracies: [HomeAssistantEntity] {
        [
            .accuracy("heading", "Heading", .heading, of: .magnetometer, "°"),
            .accuracy("heading_magnetic", "Magnetic heading", .headingMagnetic, of: .magnetometer, "°"),
            .accuracy("heading_true", "True heading", .headingTrue, of: .magnetometer, "°"),
            .accuracy("course", "Course", .course, of: .gps, "°"),
            .accuracy("speed", "Speed", .speed, of: .gps, units.speed.rawValue),
            .accuracy("rate_of_turn", "Rate of turn", .rateOfTurn, of: turning, "°/min"),
            .accuracy("roll", "Roll", .roll, of: .accelerometer, "°"),
            .accuracy("pitch", "Pitch", .pitch, of: .accelerometer, "°"),
            .accuracy("declination", "Declination", .declination, "°"),
            .accuracy("field", "Field strength", .field, of: .magnetometer, "µT"),
            .accuracy("position", "Position", .position, of: .gps, "m", member: "gps_accuracy"),
        ]
    }

    private var diagnostics: [HomeAssistantEntity] {
        [
            .diagnostic("field", "Field strength", .field, "value", of: .magnetometer, "µT", icon: "magnet"),
            .word("fix", "Fix", .position, "fix", of: .gps, ["2d", "3d"], icon: "crosshairs-gps"),
            .count("satellites", "Satellites", .position, of: .gps, icon: "satellite-variant"),
            .rate("sample_rate", "Sample rate", .diagnostics, of: .magnetometer),
            .problem("model_expired", "Magnetic model expired", .declination, "value_json.model_expired"),
            .connectivity("gps", "GPS", of: .gps),
            .connectivity("magnetometer", "Magnetometer", of: .magnetometer),
        ]
    }

    /// The rate comes from the heading where there is no gyroscope.
    private var turning: Source { present.contains(.gyroscope) ? .gyroscope : .magnetometer }

    /// What is known to 10 degrees or better is good.
    private static let lowAccuracy = "value_json.quality != 'good'"
}
