/// Where the kernel shows its IIO devices: their folders, and their nodes for reading buffers.
package struct IIORoot: Hashable, Sendable {
    package let devicesFolder: AttributeFolder
    private let nodesFolder: AttributeFolder
    package let root: AttributeFolder

    /// `root` holds `sys/bus/iio/devices` and `dev`, or itself the folders `iio:deviceN`.
    package init(_ root: String) {
        self.root = AttributeFolder(root)
        let devices = self.root.folder("sys/bus/iio/devices")
        let isFlat = !devices.exists && self.root.entries.contains { $0.hasPrefix(IIODevice.folderPrefix) }
        devicesFolder = isFlat ? self.root : devices
        nodesFolder = isFlat ? AttributeFolder("/dev") : self.root.folder("dev")
    }

    package func node(of device: IIODevice) -> String { nodesFolder.path + "/" + device.folder.name }

    /// Every device that measures something the agent can use or could be asked for, by number.
    package func devices() -> [IIODevice] {
        devicesFolder.entries.compactMap { IIODevice(devicesFolder.folder($0)) }.sorted {
            $0.number < $1.number
        }
    }

    package func triggers() -> [IIOTrigger] {
        devicesFolder.entries.compactMap { IIOTrigger(devicesFolder.folder($0)) }
    }
}

/// What makes a device put a frame in its buffer: a timer, the chip's own interrupt, or a word from a program.
package struct IIOTrigger: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case timer, software, device }

    package var folder: AttributeFolder
    package var name: String
    package var kind: Kind

    package init?(_ folder: AttributeFolder) {
        guard folder.name.hasPrefix("trigger"), Int(folder.name.dropFirst(7)) != nil,
            let name = folder.text("name"), !name.isEmpty
        else { return nil }
        self.folder = folder
        self.name = name
        kind = folder.has("sampling_frequency") ? .timer : folder.has("trigger_now") ? .software : .device
    }
}
