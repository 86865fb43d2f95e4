import Glibc
import HeadingPipeline

/// Chooses whose readings a calibration uses: the agent's where one runs, so that no device is opened twice.
enum FeedChoice {
    /// - Parameter savesNothing: the state folder need not be there.
    static func open(
        simulated: [any ReadingSource]?, _ settings: Settings, savesNothing: Bool = false
    ) throws(FeedFault) -> any ReadingFeed {
        let state = settings.agent.stateDirectory
        let store = CalibrationStore(stateDirectory: state)
        // Before somebody turns a boat for minutes.
        if !savesNothing { try makeWritable(state) }
        do throws(Errno) {
            if let simulated {
                return try OwnDevicesFeed(
                    simulated, origin: "a simulated sensor", store: store, lock: nil)
            }
            if let agent = try? AgentFeed(stateDirectory: state) { return agent }
            let isNeeded = !savesNothing || access(state, F_OK) == 0
            let lock = isNeeded ? try SensorLock(stateDirectory: state, holder: .calibration) : nil
            return try OwnDevicesFeed(
                sources(settings), origin: "the machine's own devices", store: store, lock: lock)
        } catch {
            if error.code == EWOULDBLOCK {
                throw FeedFault("an agent reads the sensors, but its control socket does not answer")
            }
            throw FeedFault("\(state): \(error)")
        }
    }

    private static func makeWritable(_ folder: String) throws(FeedFault) {
        do throws(Errno) {
            try Folder.make(folder)
            try Errno.check { access(folder, W_OK | X_OK) }
        } catch {
            throw FeedFault(
                "agent.state_dir: \(folder) cannot be written, and what is learned is kept there: \(error)")
        }
    }

    private static func sources(_ settings: Settings) -> [any ReadingSource] {
        let receivers: [any ReadingSource] =
            settings.gps.isEnabled ? [GpsdSource(settings: settings.gps)] : []
        return IIOSource.all(settings) + receivers
    }
}
