/// Which device serves for what, and why.
package struct DeviceSelection: Hashable, Sendable {
    package var magnetometer: DeviceChoice
    package var accelerometer: DeviceChoice
    package var gyroscope: DeviceChoice

    package subscript(source: Source) -> DeviceChoice? {
        switch source {
        case .magnetometer: magnetometer
        case .accelerometer: accelerometer
        case .gyroscope: gyroscope
        case .gps: nil
        }
    }

    /// The choice among `devices` that the settings ask for.
    ///
    /// `known`: the identities that served until now. Where the settings leave the choice open, nothing else is
    /// chosen, so that no other device takes the place of one whose calibration is known while it is away.
    package init(from devices: [IIODevice], _ settings: Settings, known: [Source: String] = [:]) {
        let pool = DevicePool(devices)
        magnetometer = pool.choice(
            .magnetometer, settings.magnetometer.sensor.device,
            kinds: Self.magneticKinds(settings.magnetometer.output), known: known[.magnetometer])
        let neighbour = magnetometer.device
        accelerometer = pool.choice(
            .accelerometer, settings.accelerometer.device, kinds: [.acceleration],
            known: known[.accelerometer], near: neighbour)
        gyroscope = pool.choice(
            .gyroscope, settings.gyroscope.device, kinds: [.angularVelocity], known: known[.gyroscope],
            near: neighbour)
        let hasTilt = accelerometer.device != nil || known[.accelerometer] != nil
        if settings.magnetometer.output == .automatic, !hasTilt { preferHeading() }
    }

    private static func magneticKinds(_ output: Settings.CompassOutput) -> [IIOChannel.Kind] {
        switch output {
        case .automatic: [.magneticField, .magneticHeading]
        case .field: [.magneticField]
        case .heading: [.magneticHeading]
        }
    }

    /// Without an accelerometer of ours, the device's own compensation for tilt is better than none.
    private mutating func preferHeading() {
        guard let heading = magnetometer.device?.channel(.magneticHeading), magnetometer.channel != heading
        else { return }
        magnetometer.channel = heading
        magnetometer.reason += "; its own heading, as there is no accelerometer"
    }
}

/// The device that serves for one thing, or why there is none.
package struct DeviceChoice: Hashable, Sendable {
    package var device: IIODevice?
    package var channel: IIOChannel?
    package var reason: String
}

/// The devices among which a choice is made, in an order that no renumbering changes.
private struct DevicePool {
    private let devices: [IIODevice]

    init(_ devices: [IIODevice]) {
        self.devices = devices.sorted { ($0.identity, $0.number) < ($1.identity, $1.number) }
    }

    func choice(
        _ source: Source, _ selector: Settings.DeviceSelector, kinds: [IIOChannel.Kind], known: String?,
        near neighbour: IIODevice? = nil
    ) -> DeviceChoice {
        if selector == .none { return DeviceChoice(reason: "switched off in the settings") }
        let wanted = kinds.map(\.description).joined(separator: " or ")
        let able = devices.filter { device in kinds.contains { device.channel($0) != nil } }
        let matching = able.filter { selector.matches($0) }
        guard !matching.isEmpty else {
            return DeviceChoice(reason: nothing(selector, wanted: wanted, able: able))
        }
        if selector == .automatic, let known, !matching.contains(where: { $0.identity == known }) {
            return DeviceChoice(reason: "\(known) is away")
        }
        let (device, reason) = best(of: matching, selector, source, known: known, near: neighbour)
        let channel = kinds.compactMap { device.channel($0) }.first
        return DeviceChoice(device: device, channel: channel, reason: reason)
    }

    private func best(
        of matching: [IIODevice], _ selector: Settings.DeviceSelector, _ source: Source, known: String?,
        near neighbour: IIODevice?
    ) -> (IIODevice, String) {
        let first = matching[0]
        guard selector == .automatic else {
            return (
                first, matching.count == 1 ? "\(selector)" : "\(selector), the first of \(matching.count)"
            )
        }
        if matching.count == 1 { return (first, "the only \(source.name)") }
        if let device = matching.first(where: { $0.identity == known }) { return (device, "the one in use") }
        guard let neighbour else { return (first, "the first of \(matching.count) \(source.name)s by name") }
        let nearest = matching.min { neighbour.distance(to: $0) < neighbour.distance(to: $1) } ?? first
        return (nearest, neighbour.nearness(of: nearest))
    }

    private func nothing(
        _ selector: Settings.DeviceSelector, wanted: String, able: [IIODevice]
    ) -> String {
        if selector == .automatic { return "no device gives \(wanted)" }
        if let other = devices.first(where: selector.matches) {
            return "\(selector): \(other.identity) gives no \(wanted)"
        }
        let there = able.map { "\($0.identity) (index:\($0.number))" }.joined(separator: ", ")
        return "\(selector): no such device, there \(there.isEmpty ? "are none" : "is \(there)")"
    }
}

extension IIODevice {
    /// 0: the same; then the same bus and chip, the same bus, anywhere.
    fileprivate func distance(to other: IIODevice) -> Int {
        if other.folder == folder { return 0 }
        guard other.bus == bus else { return 3 }
        // The parts of one package share the word before the underscore: lsm303dlhc_accel, lsm303dlhc_magn.
        return other.name.prefix { $0 != "_" } == name.prefix { $0 != "_" } ? 1 : 2
    }

    fileprivate func nearness(of other: IIODevice) -> String {
        switch distance(to: other) {
        case 0: "on the same device as the magnetometer"
        case 1, 2: "on the same bus as the magnetometer"
        default: "the first of several by name"
        }
    }
}

extension Settings.DeviceSelector: CustomStringConvertible {
    package var description: String {
        switch self {
        case .automatic: "auto"
        case .none: "none"
        case .name(let name): "name:\(name)"
        case .label(let label): "label:\(label)"
        case .bus(let address): "bus:\(address)"
        case .index(let number): "index:\(number)"
        }
    }

    fileprivate func matches(_ device: IIODevice) -> Bool {
        switch self {
        case .automatic: true
        case .none: false
        case .name(let name): device.name == name
        case .label(let label): device.label == label
        case .bus(let address):
            // A HID device's address may be given with the instance that a listing shows after the point.
            address == device.busAddress || address.hasPrefix((device.busAddress ?? "-") + ".")
        case .index(let number): device.number == number
        }
    }
}
