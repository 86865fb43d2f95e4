import HeadingPipeline

/// `calibrate --card [--svg]`: the deviation card of a sensor, from the state folder.
enum CardCommand {
    static func run(_ options: CalibrateOptions, _ settings: Settings, isSVG: Bool) -> ExitStatus {
        let store = CalibrationStore(stateDirectory: settings.agent.stateDirectory)
        var found = false
        for (sensor, table) in store.deviationTables() {
            found = true
            let card = DeviationCard(table, title: sensor)
            StandardStream.output.write(isSVG ? card.svg : card.text)
        }
        if !found {
            StandardStream.error.writeLine(
                "compass-mqtt: no deviation table is saved in \(store.folder); see calibrate --swing")
        }
        return found ? .done : .failed
    }
}
