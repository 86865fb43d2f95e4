/// A condition on several keys together.
struct SettingsRule: Sendable {
    /// The key whose line is named; where the file does not give it, the first of `others` that is given.
    let key: SettingName
    /// The further keys that the rule reads: it says nothing while one of them is at fault itself.
    let others: [SettingName]
    let reason: String
    let allowed: String
    let isBroken: @Sendable (Settings) -> Bool

    init(
        _ key: String, with others: String..., reason: String, allowed: String,
        isBroken: @escaping @Sendable (Settings) -> Bool
    ) {
        self.key = SettingName(key)
        self.others = others.map(SettingName.init)
        self.reason = reason
        self.allowed = allowed
        self.isBroken = isBroken
    }
}

extension SettingsRule {
    static let all = sensors + login + tls + dashboard

    private static let sensors = [
        stale("magnetometer") { $0.magnetometer.sensor },
        stale("accelerometer") { $0.accelerometer },
        stale("gyroscope") { $0.gyroscope },
    ]

    /// A sensor would be offline between two readings.
    private static func stale(
        _ section: String, _ sensor: @escaping @Sendable (Settings) -> Settings.Sensor
    ) -> SettingsRule {
        SettingsRule(
            section + ".stale_after", with: section + ".rate",
            reason: "is shorter than two readings at this rate",
            allowed: "2 / rate or more"
        ) { settings in
            let sensor = sensor(settings)
            return sensor.staleAfter.seconds * sensor.rate < 2
        }
    }

    private static let login = [
        SettingsRule(
            "mqtt.password_file", with: "mqtt.username", reason: "is given without username",
            allowed: "both or none"
        ) { $0.mqtt.passwordFile != nil && $0.mqtt.username == nil },
        SettingsRule(
            "mqtt.socket", with: "mqtt.tls", reason: "is given together with tls = yes",
            allowed: "one of them"
        ) { $0.mqtt.socket != nil && $0.mqtt.tls.isEnabled },
    ]

    // Given without tls = yes, each of these means that the operator believes the connection to be encrypted.
    private static let tls = [
        needsTls("tls_ca") { $0.authorityFile != nil },
        needsTls("tls_cert") { $0.certificateFile != nil },
        needsTls("tls_key") { $0.keyFile != nil },
        needsTls("tls_server_name") { $0.serverName != nil },
        needsTls("tls_insecure") { $0.isInsecure },
        SettingsRule(
            "mqtt.tls_cert", with: "mqtt.tls_key", reason: "is given without tls_key", allowed: "both or none"
        ) { $0.mqtt.tls.certificateFile != nil && $0.mqtt.tls.keyFile == nil },
        SettingsRule(
            "mqtt.tls_key", with: "mqtt.tls_cert", reason: "is given without tls_cert",
            allowed: "both or none"
        ) { $0.mqtt.tls.keyFile != nil && $0.mqtt.tls.certificateFile == nil },
    ]

    private static func needsTls(
        _ key: String, _ isGiven: @escaping @Sendable (Settings.Tls) -> Bool
    ) -> SettingsRule {
        SettingsRule(
            "mqtt." + key, with: "mqtt.tls", reason: "is given while tls = no", allowed: "only with tls = yes"
        ) { !$0.mqtt.tls.isEnabled && isGiven($0.mqtt.tls) }
    }

    private static let dashboard = [
        SettingsRule(
            "dashboard.listen", with: "dashboard.token", "dashboard.token_file",
            reason: "lets others on the network in without a word",
            allowed: "a loopback address, or any with token or token_file"
        ) {
            !NumericAddress.isLoopback($0.dashboard.listen) && $0.dashboard.token == nil
                && $0.dashboard.tokenFile == nil
        },
        SettingsRule(
            "dashboard.token", with: "dashboard.token_file", reason: "is given together with token_file",
            allowed: "one of them"
        ) { $0.dashboard.token != nil && $0.dashboard.tokenFile != nil },
        SettingsRule(
            "dashboard.tls_cert", with: "dashboard.tls_key", reason: "is given without tls_key",
            allowed: "both or none"
        ) { $0.dashboard.certificateFile != nil && $0.dashboard.keyFile == nil },
        SettingsRule(
            "dashboard.tls_key", with: "dashboard.tls_cert", reason: "is given without tls_cert",
            allowed: "both or none"
        ) { $0.dashboard.keyFile != nil && $0.dashboard.certificateFile == nil },
    ]
}
