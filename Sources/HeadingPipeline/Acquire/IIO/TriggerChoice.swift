/// Which trigger fills a device's buffer.
package enum TriggerChoice: Hashable, Sendable {
    case use(IIOTrigger)
    case missing(reason: String)

    /// `wanted` is the operator's, `current` what the device has now.
    ///
    /// A software trigger is taken only where it is named: it stands still unless some program fires it.
    package init(for device: IIODevice, among triggers: [IIOTrigger], current: String?, wanted: String?) {
        func named(_ name: String?) -> IIOTrigger? { triggers.first { $0.name == name } }
        if let wanted {
            let there = triggers.map(\.name).joined(separator: ", ")
            self =
                named(wanted).map(Self.use)
                ?? .missing(
                    reason: "no trigger \(wanted), there \(there.isEmpty ? "is none" : "are \(there)")")
            return
        }
        let choice =
            named(current) ?? triggers.first { device.owns($0) } ?? triggers.first { $0.kind == .timer }
        self = choice.map(Self.use) ?? .missing(reason: Self.hint)
    }

    package static let hint =
        "no trigger; a timer makes one: mkdir /sys/kernel/config/iio/triggers/hrtimer/compass"
}

extension IIODevice {
    /// Drivers name their interrupt's trigger `NAME-devN` or `NAME-drdyN`.
    fileprivate func owns(_ trigger: IIOTrigger) -> Bool {
        trigger.kind == .device && trigger.name.hasPrefix(name + "-") && trigger.name.hasSuffix("\(number)")
    }
}
