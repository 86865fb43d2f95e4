import HeadingPipeline

/// `devices [--config FILE] [--root DIR] [--json]`: what IIO and gpsd offer, and what would be used for what.
enum DevicesCommand {
    static func run(_ arguments: inout ArgumentReader) throws(UsageError) -> ExitStatus {
        let file = try arguments.option("--config")
        let root = try arguments.option("--root")
        let isJSON = arguments.flag("--json")
        try arguments.finish()
        do throws(SettingsFaults) {
            var settings = try ConfigLoader.load(file).settings
            if let root { settings.magnetometer.iioRoot = root }
            let inventory = DeviceInventory(settings)
            StandardStream.output.write(isJSON ? inventory.json() : inventory.text())
            return .done
        } catch {
            StandardStream.error.writeLine(error.description)
            return .usage
        }
    }
}
