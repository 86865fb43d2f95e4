import Glibc

@main
enum Main {
    static func main() {
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
        let command = try arguments.next()
        switch command {
        case let other?: throw UsageError("unknown command \(other)")
        case nil: throw UsageError("no command")
        }
    }
}
