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
        case .devices: "compass-mqtt devices [--config FILE] [--root DIR] [--json]"
        case .declination: "compass-mqtt declination LAT LON [--height METRES] [--date DATE] [--json]"
        case .calibrate:
            "compass-mqtt calibrate [--turn | --level | --align BEARING | --swing | --card | --from FILE] [--restore]"
        case .record: "compass-mqtt record FILE [--config FILE] [--simulate] [--seconds N] [--max-size MB]"
        case .replay: "compass-mqtt replay FILE [--config FILE] [--speed N] [--publish]"
        case .dashboard: "compass-mqtt dashboard [--config FILE]"
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
        case .devices:
            """
            Shows the sensors that the kernel's IIO offers and gpsd's receivers, which would be used for what, and why.

              --config FILE   settings; without it \(ConfigLoader.standardPath), where it is there
              --root DIR      look under DIR instead of the settings' iio_root
              --json          one JSON object instead of text
            """
        case .calibrate:
            """
            Learns what the magnetometer's housing and the vessel do to the field, and saves it for this sensor in the
            state folder. Turn the sensor slowly all ways, away from iron; the picture shows from where the field has
            not come yet. While an agent runs, its samples are used; else the devices are opened here.

              --turn          turn the vessel on the level instead, two slow circles: good while she is level
              --level         how the sensors lie in a vessel that floats level, at rest
              --align BEARING the angle between sensor and keel, while the keel lies on this true bearing; or the word
                              course, while she goes straight at over 3 knots
              --swing         the deviation table, from the course over ground in slow circles in still water
              --card [--svg]  print the deviation card
              --restore       back to the calibration before (with --level, --align 0, --swing: to that one's); the
                              last three of each are kept
              --seconds N     end with what there is after N seconds; 300 unless given
              --simulate      a simulated sensor
              --config FILE   settings; without it \(ConfigLoader.standardPath), where it is there
              --json          one JSON object instead of text

              --from FILE     fit the readings of a recording, or a table of raw field vectors (x,y,z and a unit), and
                              print the result; - is standard input, --turn a level turn; nothing is saved
              --unit UNIT     of that table: uT, nT, mT, T, G, mG or counts; uT unless the file says
              --place LAT,LON where it was taken, if no fix tells: the magnetic model gives the strength, and so the scale
              --date DATE     when; today unless given

            The exit status is 0 where the calibration is good or usable, 1 where it is insufficient: then nothing is
            saved, and what was in force still is. A usable one is kept behind a good one that still fits.
            """
        case .record:
            """
            Writes all readings to FILE, with the settings in its head, until Ctrl-C: for a fault to be reported or
            looked into later. No broker is needed. A running agent records by itself where [agent] record is set.
            A recording tells where you were.

              --config FILE   settings; without it \(ConfigLoader.standardPath), where it is there
              --simulate      a simulated vessel under way instead of sensors and gpsd
              --seconds N     ends after so long
              --max-size MB   of FILE with FILE.1, FILE.2 and FILE.3, its older parts; without it record_max_size

            A recording that is there already becomes FILE.1.
            """
        case .replay:
            """
            Sends a recording through the same pipeline and prints what comes out, a line `topic payload` for each
            message, the same each time. FILE - is standard input.

              --config FILE   settings instead of those that the recording was made under
              --speed N       0: as fast as it goes, 1: as recorded, 10: ten times as fast; 0 unless published
              --publish       to a broker instead: the config's, below the config's topics; without --config
                              one on this machine, below the recorded topic with -replay at its end

            A line that cannot be read is named on standard error, the rest go on, and the exit status is 1. A last
            line that was cut off is no fault.
            """
        case .dashboard:
            """
            Serves the topics as a page of instruments for any browser, until SIGTERM or SIGINT; on this machine only,
            unless [dashboard] of the settings says otherwise. It is a subscriber: the agent may run elsewhere.

              --config FILE   settings; without it \(ConfigLoader.standardPath), where it is there
            """
        case .declination:
            """
            The Earth's magnetic field by the World Magnetic Model 2025, to degree 12. With - instead of LAT LON it
            reads lines of `LAT LON HEIGHT DATE` from standard input.

              LAT, LON          geodetic degrees, -90 to 90 and -180 to 360; south and west are negative
              --height METRES   above the WGS84 ellipsoid, -10000 to 850000; 0 unless given
              --date DATE       a day (2026-12-01), a moment (2026-12-01T12:00:00Z) or a year (2026.915),
                                1900 to 2100; today unless given; the model holds from 2025 to 2030
              --json            one JSON object for each place, in degrees and nanotesla

            With - each line gives one line, in fixed columns unless --json is given:
              D I H X Y Z F dD dI dH dX dY dZ dF uncertainty
            D declination (east positive) and I inclination (down positive) in degrees; H horizontal, X north,
            Y east, Z down and F total field in nanotesla; d... the change of each in a year; the uncertainty of
            D, 1 sigma, in degrees. Empty lines and lines that begin with # are passed over. A line with a fault
            is named on standard error, the rest go on, and the exit status is 1.
            """
        }
    }
}
