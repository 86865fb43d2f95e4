import HeadingPipeline

extension DeviceInventory {
    /// For people.
    func text() -> String {
        var lines = ["IIO devices in \(root.devicesFolder.path)"]
        lines += devices.isEmpty ? absence : devices.flatMap(\.lines)
        lines += ["", "Used"]
        for source in Self.roles {
            lines.append("  \(source.name): " + (selection[source].map(Self.line) ?? ""))
        }
        lines += ["", "gpsd"]
        lines += gpsdLines
        return lines.joined(separator: "\n") + "\n"
    }

    private var absence: [String] {
        let folder = root.devicesFolder
        let reason =
            folder.exists ? "" : " (\(folder.path) is not there: no driver for such a chip has been loaded)"
        return [
            "  none\(reason)",
            "  see docs/sensors.md: i2cdetect -y 1 shows the chips on the bus, dtoverlay= loads a driver",
        ]
    }

    private static func line(_ choice: DeviceChoice) -> String {
        guard let device = choice.device, let channel = choice.channel else {
            return "none (\(choice.reason))"
        }
        return "\(device.identity), \(channel.kind.description) (\(choice.reason))"
    }

    private var gpsdLines: [String] {
        switch gpsd {
        case .unreachable(let reason): ["  none (\(reason))"]
        case .devices(let list):
            list.isEmpty
                ? ["  no receiver"] : list.map { "  \($0.path)" + ($0.isActive ? "" : " (not active)") }
        }
    }
}

extension DeviceInventory.Entry {
    fileprivate var lines: [String] {
        let place = [device.label.map { "label \($0)" }, device.busAddress.map { "bus \($0)" }]
            .compactMap { $0 }.joined(separator: ", ")
        var lines = ["  \(device.folder.name): \(device.name)" + (place.isEmpty ? "" : " (\(place))")]
        for channel in device.channels { lines.append("    " + Self.describe(channel)) }
        if device.channels.isEmpty { lines.append("    nothing the agent reads") }
        lines.append("    " + bufferLine)
        lines += device.warnings.map { "    note: \($0)" }
        lines += denials.map { "    no permission for \($0)" }
        return lines
    }

    private static func describe(_ channel: IIOChannel) -> String {
        // Nine decimals are what the kernel gives.
        let factors = channel.factors.map { decimalText($0, places: 7) }
        let scale =
            factors.dropFirst().allSatisfy { $0 == factors[0] } ? factors[0] : factors.joined(separator: ", ")
        let rate = channel.frequency?.current.map { ", \(SamplingFrequency.word($0)) Hz now" } ?? ""
        return "\(channel.kind.description): \(scale) \(channel.kind.unit) a count\(rate)"
    }

    private var bufferLine: String {
        switch trigger {
        case nil: "buffer: none, it is polled"
        case .use(let trigger): "buffer: with trigger \(trigger.name)"
        case .missing(let reason): "buffer: \(reason)"
        }
    }
}
