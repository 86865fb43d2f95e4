import HeadingPipeline

extension DeviceInventory {
    /// For programs: one object.
    func json() -> String {
        var writer = PayloadWriter()
        writer.begin()
        writer.text("folder", root.devicesFolder.path)
        writer.object("devices") { writer in
            for entry in devices { writer.object(entry.device.folder.name, entry.write) }
        }
        writer.object("used") { writer in
            for source in Self.roles {
                writer.object(source.name) { writer in selection[source]?.write(&writer) }
            }
        }
        writer.object("gpsd", writeGpsd)
        writer.end()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    private func writeGpsd(_ writer: inout PayloadWriter) {
        switch gpsd {
        case .unreachable(let reason): writer.text("problem", reason)
        case .devices(let list):
            writer.object("devices") { writer in
                for device in list {
                    writer.object(device.path) { $0.flag("active", device.isActive) }
                }
            }
        }
    }
}

extension DeviceInventory.Entry {
    fileprivate func write(_ writer: inout PayloadWriter) {
        writer.text("name", device.name)
        writer.text("label", device.label)
        writer.text("bus", device.busAddress)
        writer.text("identity", device.identity)
        writer.object("channels") { writer in
            for channel in device.channels { writer.object(channel.kind.rawValue, channel.write) }
        }
        writer.flag("buffer", device.hasBuffer)
        switch trigger {
        case .use(let trigger): writer.text("trigger", trigger.name)
        case .missing, nil: writer.null("trigger")
        }
        writer.text("notes", device.warnings.isEmpty ? nil : device.warnings.joined(separator: "; "))
        writer.text("denied", denials.isEmpty ? nil : denials.joined(separator: " "))
    }
}

extension IIOChannel {
    fileprivate func write(_ writer: inout PayloadWriter) {
        let names: [StaticString] = ["scale_x", "scale_y", "scale_z"]
        writer.word("unit", kind.unit)
        for (name, factor) in zip(factors.count == 3 ? names : ["scale"], factors) {
            writer.number(name, factor, places: 9)
        }
        writer.number("rate", frequency?.current, places: 3)
        writer.flag("bufferable", isBufferable)
    }
}

extension DeviceChoice {
    fileprivate func write(_ writer: inout PayloadWriter) {
        writer.text("identity", device?.identity)
        writer.text("channel", channel?.kind.rawValue)
        writer.text("reason", reason)
    }
}
