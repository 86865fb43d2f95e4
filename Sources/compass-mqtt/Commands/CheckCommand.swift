import HeadingPipeline

/// `check [FILE] [--effective]`: every fault of a config file, and the settings in force.
enum CheckCommand {
    static func run(_ arguments: inout ArgumentReader) throws(UsageError) -> ExitStatus {
        let showsEffective = arguments.flag("--effective")
        let file = try arguments.next()
        try arguments.finish()
        do throws(SettingsFaults) {
            var loaded = try ConfigLoader.load(file)
            if showsEffective { adoptCommands(&loaded) }
            return report(loaded, showsEffective: showsEffective)
        } catch {
            StandardStream.error.writeLine(error.description)
            return .usage
        }
    }

    /// What the agent would take over from its state folder.
    private static func adoptCommands(_ loaded: inout LoadedSettings) {
        let store = KeptStateStore(stateDirectory: loaded.settings.agent.stateDirectory)
        do throws(KeptStateStore.Fault) { loaded.adopt(try store.read(), from: store.path) } catch {
            StandardStream.error.writeLine("\(error) (warning)")
        }
    }

    private static func report(_ loaded: LoadedSettings, showsEffective: Bool) -> ExitStatus {
        let findings = ConfiguredFiles(loaded: loaded).findings()
        for finding in findings { StandardStream.error.writeLine(finding.description) }
        let isGood = findings.allSatisfy(\.isWarning)
        if showsEffective {
            StandardStream.output.write(loaded.effectiveText())
        } else if isGood {
            StandardStream.output.writeLine("\(loaded.file ?? "defaults"): no faults")
        }
        return isGood ? .done : .usage
    }
}
