extension ValueFormat<Bool> {
    static let yesNo = ValueFormat(
        "yes or no (also true, false, on, off)",
        read: { (text) throws(ValueFault) in
            switch text {
            case "yes", "true", "on": true
            case "no", "false", "off": false
            default: throw ValueFault("is neither yes nor no")
            }
        },
        write: { $0 ? "yes" : "no" })
}

extension ValueFormat where Value: CaseIterable & RawRepresentable<String> {
    /// One of the type's raw values.
    static var oneOf: Self {
        ValueFormat(
            Value.allCases.map(\.rawValue).joinedAsAlternatives,
            read: { (text) throws(ValueFault) in
                guard let value = Value(rawValue: text) else { throw ValueFault("is not known") }
                return value
            },
            write: { $0.rawValue })
    }
}

extension ValueFormat<Settings.DeviceSelector> {
    static let selector = ValueFormat(
        "auto, none, name:NAME, label:LABEL, bus:PLACE, index:NUMBER or a number",
        read: { (text) throws(ValueFault) in
            switch text {
            case "auto": return .automatic
            case "none": return .none
            default: break
            }
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            guard parts.count == 2 else { return .index(try deviceIndex(text)) }
            guard !parts[1].isEmpty else { throw ValueFault("names nothing after the colon") }
            switch parts[0] {
            case "name": return .name(parts[1])
            case "label": return .label(parts[1])
            case "bus": return .bus(parts[1])
            case "index": return .index(try deviceIndex(parts[1]))
            default: throw ValueFault("is no way to choose a device")
            }
        },
        write: { selector in
            switch selector {
            case .automatic: "auto"
            case .none: "none"
            case .name(let name): "name:" + name
            case .label(let label): "label:" + label
            case .bus(let place): "bus:" + place
            case .index(let index): "index:\(index)"
            }
        })

    /// The N of `iio:deviceN`.
    private static func deviceIndex(_ text: String) throws(ValueFault) -> Int {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let index = Int(text), index <= 9999
        else { throw ValueFault("is no way to choose a device") }
        return index
    }
}

extension [String] {
    /// `a, b or c`.
    var joinedAsAlternatives: String {
        guard let last, count > 1 else { return joined() }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
