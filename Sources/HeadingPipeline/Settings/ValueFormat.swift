/// How one kind of value is written in the config file: what is allowed, text to value, value to text.
package struct ValueFormat<Value: Sendable>: Sendable {
    /// In words, with range and unit: "0.1 to 100000 readings a second".
    package let allowed: String
    package let read: @Sendable (String) throws(ValueFault) -> Value
    package let write: @Sendable (Value) -> String

    package init(
        _ allowed: String, read: @escaping @Sendable (String) throws(ValueFault) -> Value,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.allowed = allowed
        self.read = read
        self.write = write
    }

    /// The same text for another type.
    func mapped<Other>(
        _ convert: @escaping @Sendable (Value) -> Other, back: @escaping @Sendable (Other) -> Value
    ) -> ValueFormat<Other> {
        let (read, write) = (read, write)
        return ValueFormat<Other>(
            allowed, read: { (text) throws(ValueFault) in convert(try read(text)) },
            write: { write(back($0)) })
    }

    /// A word that stands for "not fixed by the operator", or a value.
    func orWord(_ word: String) -> ValueFormat<Value?> {
        let (read, write) = (read, write)
        return ValueFormat<Value?>(
            "\(word), or \(allowed)",
            read: { (text) throws(ValueFault) in text == word ? nil : try read(text) },
            write: { $0.map(write) ?? word })
    }
}

/// What is wrong with a value; reads on after it: "is out of range".
package struct ValueFault: Error, Hashable, Sendable {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}
