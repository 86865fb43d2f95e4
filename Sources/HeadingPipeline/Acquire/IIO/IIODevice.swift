/// An IIO device as its folder in sysfs describes it.
package struct IIODevice: Hashable, Sendable {
    package var folder: AttributeFolder
    /// The number in `iio:deviceN`, which changes from one start to the next.
    package var number: Int
    /// The driver's name for the chip.
    package var name: String
    /// What the device tree calls it.
    package var label: String?
    /// Its place: `1-001e` on I2C, `spi0.0` on SPI, vendor and product for HID.
    package var busAddress: String?
    /// The folder of the bus it sits on.
    package var bus: String
    package var channels: [IIOChannel]
    package var timestamp: ScanElement?
    /// What a frame holds whatever is enabled; `nil` where it holds what is enabled.
    ///
    /// The drivers of HID sensors push all they have and leave the choice to nobody: with one channel enabled,
    /// its place holds another's bytes.
    package var fixedFrame: [ScanElement]?
    package var warnings: [String]

    /// `nil` where the folder is none of an IIO device.
    package init?(_ folder: AttributeFolder) {
        guard folder.name.hasPrefix(Self.folderPrefix),
            let number = Int(folder.name.dropFirst(Self.folderPrefix.count)), folder.exists
        else { return nil }
        let place = DevicePlace(folder)
        self.folder = folder
        self.number = number
        name = folder.text("name") ?? ""
        label = folder.text("label").flatMap { $0.isEmpty ? nil : $0 }
        busAddress = place.address
        bus = place.bus
        var reader = ChannelReader(folder, deviceName: name)
        channels = IIOChannel.Kind.allCases.compactMap { reader.channel($0) }
        timestamp = reader.timestamp()
        fixedFrame = place.isHID ? reader.scanElements() : nil
        warnings = reader.warnings
    }

    static let folderPrefix = "iio:device"

    /// The same after a reboot and a renumbering; a calibration belongs to it.
    package var identity: String {
        guard let place = label ?? busAddress else { return name }
        return name + "@" + place
    }

    package func channel(_ kind: IIOChannel.Kind) -> IIOChannel? { channels.first { $0.kind == kind } }

    /// What must be enabled to get these channels, and the time where there is one.
    package func scanElements(for channels: [IIOChannel]) -> [ScanElement] {
        fixedFrame ?? channels.flatMap(\.inputs).compactMap(\.scan) + [timestamp].compactMap { $0 }
    }

    package var hasBuffer: Bool { folder.has("buffer/enable") && folder.has("scan_elements") }
}

/// Where a device sits, from the real path of its folder.
private struct DevicePlace {
    var address: String?
    var bus: String
    var isHID = false

    init(_ folder: AttributeFolder) {
        let parent = folder.resolved.parent
        if let hid = Self.ancestor(of: parent, where: Self.isHIDName) {
            // The part after the point counts how often something was plugged in.
            address = hid.name.split(separator: ".").first.map(String.init)
            bus = hid.path
            isHID = true
            return
        }
        // A tree without links, as an operator may lay out: there is no place.
        address = parent?.name == folder.parent?.name ? nil : parent?.name
        bus = parent?.parent?.path ?? ""
    }

    private static func ancestor(
        of folder: AttributeFolder?, where isWanted: (String) -> Bool
    ) -> AttributeFolder? {
        var here = folder
        while let folder = here, !isWanted(folder.name) { here = folder.parent }
        return here
    }

    /// `0003:1209:0001.0001`: bus, vendor, product, instance.
    private static func isHIDName(_ name: String) -> Bool {
        let parts = name.split(whereSeparator: { $0 == ":" || $0 == "." })
        return name.utf8.count == 19 && parts.count == 4
            && parts.allSatisfy { $0.utf8.count == 4 && $0.allSatisfy(\.isHexDigit) }
    }
}
