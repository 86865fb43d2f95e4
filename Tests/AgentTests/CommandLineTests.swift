import Testing

@testable import compass_mqtt

@Suite("Command line")
struct CommandLineTests {
    @Test("options stand anywhere, with = or a blank")
    func options() throws {
        for line in [
            ["--config", "/a", "--simulate"], ["--simulate", "--config", "/a"],
            ["--config=/a", "--simulate"],
        ] {
            var reader = ArgumentReader(line)
            let options = try RunOptions(&reader)
            #expect(options.configFile == "/a" && options.isSimulated)
        }
    }

    @Test("nothing given: the standard config, real sensors")
    func noOptions() throws {
        var reader = ArgumentReader([])
        let options = try RunOptions(&reader)
        #expect(options.configFile == nil && !options.isSimulated)
    }

    @Test(
        "what is wrong is named",
        arguments: [
            (["--config"], "--config needs a value"), (["--config="], "--config needs a value"),
            (["--config", "--simulate"], "--config needs a value"),
            (["--config", ""], "--config needs a value"),
            (["--simulat"], "unknown option --simulat"), (["boat.conf"], "unexpected argument boat.conf"),
            (["--config", "/a", "--config", "/b"], "unknown option --config"),
        ])
    func faults(line: [String], reason: String) {
        var reader = ArgumentReader(line)
        do throws(UsageError) {
            _ = try RunOptions(&reader)
            Issue.record("is accepted")
        } catch {
            #expect(error.reason == reason)
        }
    }

    @Test("the command comes first; an option there means run")
    func command() throws {
        var reader = ArgumentReader(["check", "/a"])
        #expect(try Command(&reader) == .check)
        #expect(try reader.next() == "/a")
        var option = ArgumentReader(["--simulate"])
        #expect(try Command(&option) == nil)
        var nothing = ArgumentReader([])
        #expect(try Command(&nothing) == nil)
    }

    @Test(
        "a mistyped command names the nearest",
        arguments: [("chekc", "unknown command chekc, nearest is check"), ("sail", "unknown command sail")])
    func unknownCommand(word: String, reason: String) {
        var reader = ArgumentReader([word])
        do throws(UsageError) {
            _ = try Command(&reader)
            Issue.record("is accepted")
        } catch {
            #expect(error.reason == reason)
        }
    }

    @Test("every command has a help text that names it", arguments: Command.allCases)
    func help(command: Command) {
        #expect(HelpText.text(for: command).contains(command.rawValue))
        #expect(HelpText.general.contains(command.rawValue))
    }
}
