/// The table of all entities.
struct HomeAssistantEntities {
    let units: Settings.Units
    /// The sources that there are; what others would give is left out.
    let present: Set<Source>
    let takesCommands: Bool

    var all: [HomeAssistantEntity] {
        let shown = measured + guidance + accuracies + diagnostics + (takesCommands ? settings : [])
        return shown.filter { $0.source.map(present.contains) ?? true }
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
            .value("declination", "Declination", .declination, "value", "°", icon: "angle-acute"),
            .position("position", "Position", .position, of: .gps),
            .interference("interference", "Interference", .field, of: .magnetometer),
            .problem("low_accuracy", "Low accuracy", .heading, of: .magnetometer, Self.lowAccuracy),
        ]
    }

    private var guidance: [HomeAssistantEntity] {
        [
            .direction("destination_bearing", "Destination bearing", .destination, "bearing", of: .gps),
            .distance(
                "destination_distance", "Destination distance", .destination, "distance", of: .gps, units),
            .value(
                "steering_error", "Steering error", .steer, "error", of: .magnetometer, "°",
                icon: "arrow-left-right"),
            .way("trip_distance", "Trip distance", .trip, of: .gps, units),
            .speed("max_speed", "Maximum speed", .trip, "max_speed", of: .gps, units.speed),
        ]
    }

    private var settings: [HomeAssistantEntity] {
        [
            .choice("reference", "Reference", .reference, .reference, ["true", "magnetic"]),
            .number("course_to_steer", "Course to steer", .courseToSteer, .steer, 0...359, step: 5, "°"),
            .number("smoothing", "Smoothing", .state(of: .smoothing), .smoothing, 0...60, step: 0.1, "s"),
            .number(
                "heading_offset", "Heading offset", .state(of: .headingOffset), .headingOffset, -180...180,
                step: 0.1, "°"),
            .place("destination", "Destination", .destination, .destination),
            .button("clear_course", "Clear course to steer", .steer, "", icon: "close"),
            .button("clear_destination", "Clear destination", .destination, "", icon: "map-marker-off"),
            .button("reset_trip", "Reset trip", .trip, "reset", icon: "restore"),
            .button("start_calibration", "Start calibration", .calibration, "start", icon: "play"),
            .button("stop_calibration", "Stop calibration", .calibration, "stop", icon: "stop"),
        ]
    }

    private var accuracies: [HomeAssistantEntity] {
        [
            .accuracy("heading", "Heading", .heading, of: .magnetometer, "°"),
            .accuracy("heading_magnetic", "Magnetic heading", .headingMagnetic, of: .magnetometer, "°"),
            .accuracy("heading_true", "True heading", .headingTrue, of: .magnetometer, "°"),
            .accuracy("course", "Course", .course, of: .gps, "°"),
            .accuracy("speed", "Speed", .speed, of: .gps, units.speed.rawValue, deviceClass: "speed"),
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
            .word(
                "calibration_quality", "Calibration quality", .calibration, "quality", of: .magnetometer,
                ["uncalibrated", "configured", "usable", "good"], icon: "tune"),
            .calibration("calibration", "Calibration", .calibration, of: .magnetometer),
            .problem("model_expired", "Magnetic model expired", .declination, "value_json.model_expired"),
        ] + connectivities
    }

    /// These are available while their source is not, so that they can say so.
    private var connectivities: [HomeAssistantEntity] {
        [(Source.gps, "GPS"), (.magnetometer, "Magnetometer")].filter { present.contains($0.0) }
            .map { .connectivity($0.0.name, $0.1, of: $0.0) }
    }

    /// The rate comes from the heading where there is no gyroscope.
    private var turning: Source { present.contains(.gyroscope) ? .gyroscope : .magnetometer }

    /// What is known to 10 degrees or better is good.
    private static let lowAccuracy = "value_json.quality != 'good'"
}
