// The kinds of entities that the table has lines of.
extension HomeAssistantEntity {
    /// On the circle: Home Assistant makes its statistics with circular means.
    static func direction(
        _ key: String, _ name: String, _ topic: Topic, _ member: String = "value", of source: Source,
        icon: String = "compass-outline"
    ) -> Self {
        HomeAssistantEntity(
            .sensor, key, name, of: source,
            [.member(member, of: topic), .unit("°"), .stateClass("measurement_angle"), .icon(icon)])
    }

    static func value(
        _ key: String, _ name: String, _ topic: Topic, _ member: String = "value", of source: Source? = nil,
        _ unit: String, icon: String
    ) -> Self {
        HomeAssistantEntity(
            .sensor, key, name, of: source,
            [.member(member, of: topic), .unit(unit), .measurement, .icon(icon)])
    }

    static func speed(
        _ key: String, _ name: String, _ topic: Topic, _ member: String = "value", of source: Source,
        _ unit: Settings.SpeedUnit
    ) -> Self {
        HomeAssistantEntity(
            .sensor, key, name, of: source,
            [.member(member, of: topic), .unit(unit.rawValue), .deviceClass("speed"), .measurement])
    }

    static func distance(
        _ key: String, _ name: String, _ topic: Topic, _ member: String, of source: Source,
        _ units: Settings.Units
    ) -> Self {
        HomeAssistantEntity(
            .sensor, key, name, of: source,
            [
                .member(member, of: topic), .unit(units.distance.rawValue), .deviceClass("distance"),
                .measurement,
            ])
    }

    /// A distance that grows until it is reset.
    static func way(
        _ key: String, _ name: String, _ topic: Topic, of source: Source, _ units: Settings.Units
    ) -> Self {
        HomeAssistantEntity(
            .sensor, key, name, of: source,
            [
                .member("value", of: topic), .unit(units.distance.rawValue), .deviceClass("distance"),
                .stateClass("total_increasing"),
            ])
    }

    /// Half of the width of the interval that the truth lies in 95 times of 100. Where its quantity has a class it has
    /// the same, so that Home Assistant shows both in one unit.
    static func accuracy(
        _ key: String, _ name: String, _ topic: Topic, of source: Source? = nil, _ unit: String,
        member: String = "accuracy", deviceClass: String? = nil
    ) -> Self {
        HomeAssistantEntity(
            .sensor, key + "_accuracy", name + " accuracy", of: source,
            [
                .member(member, of: topic), .unit(unit), .measurement, .diagnostic,
                .icon("plus-minus-variant"),
            ] + (deviceClass.map { [.deviceClass($0)] } ?? []))
    }

    static func diagnostic(
        _ key: String, _ name: String, _ topic: Topic, _ member: String, of source: Source?, _ unit: String,
        icon: String
    ) -> Self {
        HomeAssistantEntity(
            .sensor, key, name, of: source,
            [.member(member, of: topic), .unit(unit), .measurement, .diagnostic, .icon(icon)])
    }

    static func count(
        _ key: String, _ name: String, _ topic: Topic, of source: Source, icon: String
    ) -> Self {
        HomeAssistantEntity(
            .sensor, key, name, of: source,
            [.member(key, of: topic), .measurement, .diagnostic, .icon(icon)])
    }

    /// Readings a second of a source.
    static func rate(_ key: String, _ name: String, _ topic: Topic, of source: Source) -> Self {
        HomeAssistantEntity(
            .sensor, key, name, of: source,
            [
                .member("\(source.name).rate", of: topic), .unit("Hz"), .deviceClass("frequency"),
                .measurement, .diagnostic,
            ])
    }

    /// One of some words.
    static func word(
        _ key: String, _ name: String, _ topic: Topic, _ member: String, of source: Source,
        _ words: [String], icon: String
    ) -> Self {
        HomeAssistantEntity(
            .sensor, key, name, of: source,
            [
                .member(member, of: topic), .deviceClass("enum"), .options(words), .diagnostic, .icon(icon),
            ])
    }

    /// How a calibration goes on, and what to do next.
    static func calibration(_ key: String, _ name: String, _ topic: Topic, of source: Source) -> Self {
        let attributes =
            "{{ {'hint': value_json.hint, 'coverage': value_json.coverage, 'verdict': value_json.verdict} | to_json }}"
        return HomeAssistantEntity(
            .sensor, key, name, of: source,
            [
                .member("state", of: topic), .deviceClass("enum"),
                .options(["idle", "collecting", "done", "failed"]), .attributes(topic, attributes),
                .diagnostic, .icon("progress-wrench"),
            ])
    }

    /// On the map. A tracker wants an accuracy of at least a metre.
    static func position(_ key: String, _ name: String, _ topic: Topic, of source: Source) -> Self {
        let attributes = "{{ dict(value_json, gps_accuracy=[value_json.gps_accuracy, 1] | max) | to_json }}"
        return HomeAssistantEntity(
            .deviceTracker, key, name, of: source,
            [.attributes(topic, attributes), .gpsSource, .icon("sail-boat")])
    }

    /// On while something is wrong.
    static func problem(
        _ key: String, _ name: String, _ topic: Topic, of source: Source? = nil, _ expression: String
    ) -> Self {
        HomeAssistantEntity(
            .binarySensor, key, name, of: source,
            [.condition(expression, of: topic), .deviceClass("problem"), .diagnostic])
    }

    /// Says what to do about it.
    static func interference(_ key: String, _ name: String, _ topic: Topic, of source: Source) -> Self {
        let hint =
            "{{ {'hint': 'move away from metal objects' if value_json.interference else none} | to_json }}"
        return HomeAssistantEntity(
            .binarySensor, key, name, of: source,
            [
                .condition("value_json.interference", of: topic), .attributes(topic, hint),
                .deviceClass("problem"), .diagnostic,
            ])
    }

    /// Whether a source is there, and if not, why.
    static func connectivity(_ key: String, _ name: String, of source: Source) -> Self {
        let path = "value_json.\(source.name)"
        let attributes = "{{ {'reason': \(path).reason, 'device': \(path).device} | to_json }}"
        return HomeAssistantEntity(
            .binarySensor, key, name,
            [
                .state(of: .status(of: source)), .words(on: "online", off: "offline"),
                .attributes(.diagnostics, attributes), .deviceClass("connectivity"), .diagnostic,
            ])
    }
}
