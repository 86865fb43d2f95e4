import Glibc
import HeadingPipeline

@main
enum Main {
    static func main() {
        StandardStream.fillGaps()
        exit(run(CommandLine.arguments.dropFirst()).rawValue)
    }

    private static func run(_ arguments: some Collection<String>) -> ExitStatus {
        var reader = ArgumentReader(arguments)
        do throws(UsageError) {
            return try dispatch(&reader)
        } catch {
            StandardStream.error.writeLine("compass-mqtt: \(error.reason) (see compass-mqtt --help)")
            return .usage
        }
    }

    private static func dispatch(_ arguments: inout ArgumentReader) throws(UsageError) -> ExitStatus {
        let command = try Command(&arguments)
        if arguments.flag("--help") || arguments.flag("-h") {
            StandardStream.output.writeLine(command.map(HelpText.text) ?? HelpText.general)
            return .done
        }
        if command == nil, arguments.flag("--version") {
            StandardStream.output.writeLine(
                "compass-mqtt \(Version.number) (libmosquitto \(Version.mosquitto))")
            return .done
        }
        switch command ?? .run {
        case .run: return start(try RunOptions(&arguments))
        case .check: return try CheckCommand.run(&arguments)
        case .devices: return try DevicesCommand.run(&arguments)
        case .declination: return try DeclinationCommand.run(&arguments)
        case .calibrate: return try CalibrateCommand.run(&arguments)
        case .record: return record(try RecordOptions(&arguments))
        case .replay: return ReplayCommand.run(try ReplayOptions(&arguments))
        case .dashboard:
            return configured(try DashboardOptions(&arguments).configFile) { DashboardCommand.run($0) }
        }
    }

    private static func start(_ options: RunOptions) -> ExitStatus {
        configured(options.configFile) { RunCommand.run(options, $0) }
    }

    private static func record(_ options: RecordOptions) -> ExitStatus {
        configured(options.configFile) { RecordCommand.run(options, $0) }
    }

    private static func configured(_ file: String?, _ run: (Settings) -> ExitStatus) -> ExitStatus {
        do throws(SettingsFaults) {
            let settings = try ConfigLoader.load(file).settings
            Log.setLevel(settings.agent.logLevel)
            return run(settings)
        } catch {
            for fault in error.faults { Log.error(fault.description) }
            return .usage
        }
    }
}
