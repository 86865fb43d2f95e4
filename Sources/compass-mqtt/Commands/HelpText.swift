/// What `--help` prints.
enum HelpText {
    static let general = """
        compass-mqtt: heading, speed and course from a boat's or robot's sensors to MQTT

        \(Command.allCases.map { "  " + $0.usage }.joined(separator: "\n"))
          compass-mqtt COMMAND --help
          compass-mqtt --version

        Without a config file every setting stands at its default.
        Exit status: 0 done, 1 failed, 2 wrong usage or config.
        """

    static func text(for command: Command) -> String {
        "Usage: \(command.usage)\n\n\(command.explanation)"
    }
}

extension Command {
    fileprivate var usage: String {
        switch self {
        case .run: "compass-mqtt [run] [--config FILE] [--simulate]"
        case .check: "compass-mqtt check [FILE] [--effective]"
        }
    }

    fileprivate var explanation: String {
        switch self {
        case .run:
            """
            Reads magnetometer, accelerometer, gyroscope and gpsd, and publishes until SIGTERM or SIGINT.

              --config FILE   settings; without it \(ConfigLoader.standardPath), where it is there
              --simulate      a simulated vessel under way instead of sensors and gpsd
            """
        case .check:
            """
            Prints every fault of a config file, as file:line: section.key: what is wrong, what is allowed.
            FILE is \(ConfigLoader.standardPath) unless given.

              --effective     print all settings in force, and where each comes from
            """
        }
    }
}
