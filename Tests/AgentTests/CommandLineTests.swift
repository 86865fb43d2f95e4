import HeadingPipeline
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

    @Test("record and replay take a file and their options")
    func recordings() throws {
        var record = ArgumentReader(["--simulate", "/tmp/a", "--seconds", "2.5", "--max-size=7"])
        let recording = try RecordOptions(&record)
        #expect(recording.file == "/tmp/a" && recording.isSimulated)
        #expect(recording.duration == .seconds(2.5) && recording.largestSize == 7_000_000)
        var replay = ArgumentReader(["-", "--speed", "10", "--config", "/b"])
        let replayed = try ReplayOptions(&replay)
        #expect(replayed.file == "-" && replayed.speed == 10 && replayed.configFile == "/b")
        // As fast as it goes, but not to a broker.
        for (line, speed) in [
            (["a"], nil), (["a", "--publish"], 1), (["a", "--publish", "--speed=0"], nil),
        ] as [([String], Double?)] {
            var reader = ArgumentReader(line)
            #expect(try ReplayOptions(&reader).speed == speed)
        }
    }

    @Test(
        "record and replay name what is wrong",
        arguments: [
            ([], "needs a FILE"), (["a", "--seconds", "0"], "--seconds 0 is no number of seconds"),
            (["a", "--max-size", "0.5"], "--max-size 0.5 is no whole number of megabytes from 1 to 1000000"),
            (["a", "b"], "unexpected argument b"), (["a", "--speed", "-1"], "--speed -1 is not 0"),
            (["a", "--speed=nan"], "--speed nan is not 0"),
        ] as [([String], String)])
    func recordingFaults(line: [String], reason: String) {
        let isReplay = line.contains { $0.hasPrefix("--speed") }
        var reader = ArgumentReader(line)
        do throws(UsageError) {
            if isReplay { _ = try ReplayOptions(&reader) } else { _ = try RecordOptions(&reader) }
            Issue.record("is accepted")
        } catch {
            #expect(error.reason.contains(reason))
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
