/// What of a key's value may be seen in the log and in the answers of `check`.
package enum Secrecy: Sendable {
    case open
    /// A file's name, in whose place people write the secret itself: not shown while it is at fault.
    case openWhenValid
    /// Never shown.
    case secret
}

/// One key of the config file within its section: its name, what is allowed, and where in `Root` its value is.
package struct SettingKey<Root>: Sendable {
    package let name: String
    /// In words, with range and unit.
    package let allowed: String
    package let secrecy: Secrecy
    /// What holds while no value is given, in words; `nil`: the key always has a value.
    package let whenUnset: String?
    let read: @Sendable (String, inout Root) throws(ValueFault) -> Void
    private let write: @Sendable (Root) -> String?

    /// The value in force, as a config file would give it but for quotes; `nil`: unset.
    package func text(in root: Root) -> String? { write(root) }

    /// A key that always has a value.
    package init<Value>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ format: ValueFormat<Value>,
        _ secrecy: Secrecy = .open
    ) {
        self.name = name
        allowed = format.allowed
        self.secrecy = secrecy
        whenUnset = nil
        read = { (text, root) throws(ValueFault) in root[keyPath: path] = try format.read(text) }
        write = { format.write($0[keyPath: path]) }
    }

    /// A key that may be left out.
    package init<Value>(
        _ name: String, _ path: any WritableKeyPath<Root, Value?> & Sendable, _ format: ValueFormat<Value>,
        unset: String, _ secrecy: Secrecy = .open
    ) {
        self.name = name
        allowed = format.allowed
        self.secrecy = secrecy
        whenUnset = unset
        read = { (text, root) throws(ValueFault) in root[keyPath: path] = try format.read(text) }
        write = { $0[keyPath: path].map(format.write) }
    }

    /// A key of a part of `Root`.
    package init<Part>(_ key: SettingKey<Part>, in part: any WritableKeyPath<Root, Part> & Sendable) {
        name = key.name
        allowed = key.allowed
        secrecy = key.secrecy
        whenUnset = key.whenUnset
        read = { (text, root) throws(ValueFault) in try key.read(text, &root[keyPath: part]) }
        write = { key.write($0[keyPath: part]) }
    }
}
