// What a person can set. Each shows what the agent says, not what was asked for.
extension HomeAssistantEntity {
    static func choice(
        _ key: String, _ name: String, _ topic: Topic, _ command: CommandTopic, _ words: [String]
    ) -> Self {
        HomeAssistantEntity(
            .select, key, name,
            [.state(of: topic), .command(command), .options(words), .setting, .icon("compass-rose")])
    }

    static func number(
        _ key: String, _ name: String, _ state: HomeAssistantProperty, _ command: CommandTopic,
        _ range: ClosedRange<Double>, step: Double, _ unit: String
    ) -> Self {
        HomeAssistantEntity(
            .number, key, name, [state, .command(command), .range(range, step: step), .unit(unit), .setting])
    }

    /// Typed as `latitude, longitude, name`; the name may be left out, and nothing at all clears it.
    static func place(_ key: String, _ name: String, _ topic: Topic, _ command: CommandTopic) -> Self {
        let state =
            "{% macro plain(x) %}{{ ('%.7f' | format(x)).rstrip('0').rstrip('.') }}{% endmacro %}"
            + "{{ [plain(value_json.latitude), plain(value_json.longitude), value_json.name]"
            + " | select('ne', none) | join(', ') if value_json is mapping else '' }}"
        let sent =
            "{% set parts = value.split(',', 2) %}{{ '' if not value.strip() else dict(latitude=parts[0] | float,"
            + " longitude=parts[1] | float, name=(parts[2] if parts | length > 2 else '') | trim) | to_json }}"
        return HomeAssistantEntity(
            .text, key, name,
            [
                .template(topic, state), .command(command), .commandTemplate(sent), .pattern(coordinates),
                .setting, .icon("map-marker"),
            ])
    }

    private static let coordinates =
        #"^\s*$|^\s*-?\d{1,2}(\.\d+)?\s*,\s*-?\d{1,3}(\.\d+)?\s*(,\s*.{0,100})?$"#

    static func button(
        _ key: String, _ name: String, _ command: CommandTopic, _ payload: String, icon: String
    ) -> Self {
        HomeAssistantEntity(
            .button, key, name, [.command(command), .press(payload), .setting, .icon(icon)])
    }
}

extension HomeAssistantProperty {
    /// Home Assistant refuses a state out of a number's range, and a course may lie between 359 and 0.
    static let courseToSteer = template(
        .steer, "{{ value_json.value | round | int % 360 if value_json is mapping else none }}")
}
