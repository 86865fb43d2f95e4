import Glibc
import HeadingPipeline

/// Everything that `devices` tells: what is there, and what would be used.
struct DeviceInventory {
    let root: IIORoot
    let devices: [Entry]
    let selection: DeviceSelection
    let gpsd: GpsdListing.Answer

    struct Entry {
        var device: IIODevice
        /// How its buffer would be filled; `nil` where it has none.
        var trigger: TriggerChoice?
        /// What the agent may not do, as the user who asks.
        var denials: [String]
    }

    init(_ settings: Settings) {
        let root = IIORoot(settings.magnetometer.iioRoot)
        let devices = root.devices()
        let triggers = root.triggers()
        self.root = root
        selection = DeviceSelection(from: devices, settings)
        let selection = selection
        self.devices = devices.map { device in
            let role = Self.roles.first { selection[$0]?.device?.folder == device.folder }
            return Entry(device, root, triggers, wanted: role.flatMap { settings.sensor($0).trigger })
        }
        gpsd =
            settings.gps.isEnabled
            ? GpsdListing.ask(settings.gps) : .unreachable("switched off in the settings")
    }

    /// What the agent reads, in the order of its topics.
    static let roles: [Source] = [.magnetometer, .accelerometer, .gyroscope]
}

extension DeviceInventory.Entry {
    init(_ device: IIODevice, _ root: IIORoot, _ triggers: [IIOTrigger], wanted: String?) {
        self.device = device
        denials = Self.denials(device, root)
        guard device.hasBuffer else { return }
        let current = device.folder.text("trigger/current_trigger")
        trigger = TriggerChoice(for: device, among: triggers, current: current, wanted: wanted)
    }

    private static func denials(_ device: IIODevice, _ root: IIORoot) -> [String] {
        var files: [(String, Int32)] = device.channels.flatMap(\.inputs).map {
            (device.folder.path + "/" + $0.rawAttribute, R_OK)
        }
        if device.hasBuffer {
            files += [(device.folder.path + "/buffer/enable", W_OK), (root.node(of: device), R_OK)]
        }
        return files.filter { access($0.0, $0.1) != 0 && errno == EACCES }.map(\.0)
    }
}

extension IIOChannel {
    /// What one count is, in the pipeline's unit; the axes may differ.
    var factors: [Double] {
        switch conversion {
        case .vector(_, let x, let y, let z): [x.factor, y.factor, z.factor]
        case .heading(let axis): [axis.factor]
        }
    }
}

extension IIOChannel.Kind {
    var unit: StaticString {
        switch self {
        case .magneticField: "µT"
        case .acceleration: "m/s²"
        case .angularVelocity: "rad/s"
        case .magneticHeading: "°"
        }
    }
}
