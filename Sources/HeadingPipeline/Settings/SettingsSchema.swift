/// Every key of the config file: its section, name, range and place in ``Settings``. A key is declared here and
/// explained in `config/compass-mqtt.conf`, and nowhere else.
package struct SettingsSchema: Sendable {
    package struct Section: Sendable {
        package let name: String
        package let keys: [SettingKey<Settings>]

        package init<Part>(
            _ name: String, _ part: any WritableKeyPath<Settings, Part> & Sendable, _ keys: [SettingKey<Part>]
        ) {
            self.init(name, keys.map { SettingKey($0, in: part) })
        }

        package init(_ name: String, _ keys: [SettingKey<Settings>]) {
            self.name = name
            self.keys = keys
        }
    }

    package let sections: [Section]
    package init(_ sections: [Section]) { self.sections = sections }

    package static let standard = SettingsSchema([
        Section("agent", \.agent, agent),
        Section(
            "magnetometer",
            sensor.map { SettingKey($0, in: \.magnetometer.sensor) }
                + magnetometer.map { SettingKey($0, in: \.magnetometer) }),
        Section("accelerometer", \.accelerometer, sensor),
        Section("gyroscope", \.gyroscope, sensor),
        Section("gps", \.gps, gps),
        Section("heading", \.heading, heading),
        Section("navigation", \.navigation, navigation),
        Section("publish", \.publish, publish),
        Section("units", \.units, units),
        Section("mqtt", \.mqtt, mqtt + tls.map { SettingKey($0, in: \.tls) }),
        Section("home_assistant", \.homeAssistant, homeAssistant),
        Section("commands", \.commands, commands),
        Section("dashboard", \.dashboard, dashboard),
    ])

    private static let agent: [SettingKey<Settings.Agent>] = [
        SettingKey("id", \.id, .identifier, unset: "made from the machine id"),
        SettingKey("name", \.name, .text(), unset: "Compass and the id"),
        SettingKey("state_dir", \.stateDirectory, .path()),
        SettingKey("log_level", \.logLevel, .oneOf),
        SettingKey("record", \.recordFile, .path(), unset: "nothing is recorded"),
        SettingKey("record_max_size", \.recordMaxSize, .megabytes(1...1_000_000)),
    ]

    /// The same for magnetometer, accelerometer and gyroscope.
    private static let sensor: [SettingKey<Settings.Sensor>] = [
        SettingKey("device", \.device, .selector),
        SettingKey("mode", \.mode, .oneOf),
        SettingKey("trigger", \.trigger, .text(), unset: "the device's own, else any that exists"),
        SettingKey("rate", \.rate, .number(0.1...100_000, "readings a second")),
        SettingKey("axes", \.axes, .axes),
        SettingKey("mount_matrix", \.mountMatrix, .rotation, unset: "the kernel's"),
        SettingKey("stale_after", \.staleAfter, .seconds(0.1...3600)),
    ]

    private static let magnetometer: [SettingKey<Settings.Magnetometer>] = [
        SettingKey("output", \.output, .oneOf),
        SettingKey(
            "hard_iron", \.hardIron, .vector(-5000...5000, "microtesla"), unset: "not calibrated here"),
        SettingKey("soft_iron", \.softIron, .softIron, unset: "not calibrated here"),
        SettingKey("calibration_residual", \.calibrationResidual, .microtesla(0...100)),
        SettingKey("iio_root", \.iioRoot, .path()),
    ]

    private static let gps: [SettingKey<Settings.Gps>] = [
        SettingKey("enabled", \.isEnabled, .yesNo),
        SettingKey("host", \.host, .host),
        SettingKey("port", \.port, .port),
        SettingKey("device", \.device, .text(), unset: "any receiver"),
        SettingKey("stale_after", \.staleAfter, .seconds(0.5...3600)),
        SettingKey("min_course_speed", \.minimumCourseSpeed, .metersPerSecond(0...10)),
    ]

    private static let heading: [SettingKey<Settings.Heading>] = [
        SettingKey("reference", \.reference, .oneOf),
        SettingKey("offset", \.offset, .headingOffset),
        SettingKey("alignment_uncertainty", \.alignmentUncertainty, .degrees(0...45)),
        SettingKey("smoothing", \.smoothing, .smoothing),
        SettingKey("declination", \.declination, .declination),
        SettingKey("assumed_tilt", \.assumedTilt, .degrees(0...45)),
    ]

    private static let navigation: [SettingKey<Settings.Guidance>] = [
        SettingKey("arrival_radius", \.arrivalRadius, .meters(1...100_000))
    ]

    private static let commands: [SettingKey<Settings.Commands>] = [
        SettingKey("enabled", \.isEnabled, .yesNo)
    ]

    private static let publish: [SettingKey<Settings.Publish>] = [
        SettingKey("base_topic", \.baseTopic, .baseTopic, unset: "compass/ and the id"),
        SettingKey("rate", \.rate, .number(0.01...100_000, "messages a second")),
        SettingKey("deadband", \.deadband, .degrees(0...90)),
        SettingKey("speed_deadband", \.speedDeadband, .metersPerSecond(0...10)),
        SettingKey("position_deadband", \.positionDeadband, .meters(0...10_000)),
        SettingKey("field_deadband", \.fieldDeadband, .microtesla(0...100)),
        SettingKey("heartbeat", \.heartbeat, .seconds(1...3600)),
        SettingKey("qos", \.qos, .integer(0...2)),
    ]

    private static let units: [SettingKey<Settings.Units>] = [
        SettingKey("speed", \.speed, .oneOf),
        SettingKey("distance", \.distance, .oneOf),
    ]

    private static let mqtt: [SettingKey<Settings.Mqtt>] = [
        SettingKey("host", \.host, .host),
        SettingKey("port", \.port, .port, unset: "1883, with TLS 8883"),
        // A socket's address holds 108 bytes, the last of them 0.
        SettingKey("socket", \.socket, .path(upTo: 107), unset: "host and port are used"),
        SettingKey("version", \.version, .oneOf),
        SettingKey("client_id", \.clientId, .identifier, unset: "made from the agent's id"),
        SettingKey("username", \.username, .text(), unset: "none"),
        SettingKey("password_file", \.passwordFile, .readableFile, unset: "none", .openWhenValid),
        SettingKey("keepalive", \.keepalive, .wholeSeconds(5...3600)),
    ]

    private static let tls: [SettingKey<Settings.Tls>] = [
        SettingKey("tls", \.isEnabled, .yesNo),
        SettingKey("tls_ca", \.authorityFile, .readableFile, unset: "the system's authorities"),
        SettingKey("tls_cert", \.certificateFile, .readableFile, unset: "none"),
        SettingKey("tls_key", \.keyFile, .readableFile, unset: "none"),
        SettingKey("tls_server_name", \.serverName, .host, unset: "the host"),
        SettingKey("tls_insecure", \.isInsecure, .yesNo),
    ]

    private static let homeAssistant: [SettingKey<Settings.HomeAssistant>] = [
        SettingKey("discovery", \.isDiscoveryEnabled, .yesNo),
        SettingKey("prefix", \.prefix, .baseTopic),
    ]

    private static let dashboard: [SettingKey<Settings.Dashboard>] = [
        SettingKey("listen", \.listen, .address),
        SettingKey("port", \.port, .port),
        SettingKey("hosts", \.hosts, .hostNames),
        SettingKey("proxies", \.proxies, .addresses),
        SettingKey("token", \.token, .token, unset: "none", .secret),
        SettingKey("token_file", \.tokenFile, .readableFile, unset: "none", .openWhenValid),
        SettingKey("tls_cert", \.certificateFile, .readableFile, unset: "not encrypted"),
        SettingKey("tls_key", \.keyFile, .readableFile, unset: "none"),
        SettingKey("topics", \.topics, .topicFilters),
        SettingKey("commands", \.takesCommands, .yesNo),
        SettingKey("full_scale", \.fullScale, .number(1...1000, "of the unit of units.speed")),
        SettingKey("stale_after", \.staleAfter, .seconds(2...7200)),
        SettingKey("max_viewers", \.mostViewers, .integer(1...900)),
    ]
}

extension SettingsSchema {
    package func section(_ name: String) -> Section? { sections.first { $0.name == name } }

    package func key(_ name: String, in section: String) -> SettingKey<Settings>? {
        self.section(section)?.keys.first { $0.name == name }
    }

    /// What a section's heading was meant to be.
    func help(unknownSection name: String) -> String {
        let names = sections.map(\.name)
        guard let nearest = NearestName.nearest(to: name, among: names) else {
            return "unknown section, known are " + names.joined(separator: ", ")
        }
        return "unknown section, nearest is [\(nearest)]"
    }

    /// What a key was meant to be: the same name in another section, or a name with typing errors.
    func help(unknownKey name: String, in section: String) -> String {
        let owners = sections.filter { $0.keys.contains { $0.name == name } }.map { "[\($0.name)]" }
        if !owners.isEmpty { return "unknown here, is a key of " + owners.joinedAsAlternatives }
        let own = self.section(section)?.keys.map(\.name) ?? []
        let others = sections.flatMap { section in section.keys.map { section.name + "." + $0.name } }
        let nearest =
            NearestName.nearest(to: name, among: own)
            ?? NearestName.nearest(to: section + "." + name, among: others)
            ?? NearestName.nearest(to: name, among: others)
        return nearest.map { "unknown key, nearest is \($0)" } ?? "unknown key, known are "
            + own.joined(separator: ", ")
    }
}
