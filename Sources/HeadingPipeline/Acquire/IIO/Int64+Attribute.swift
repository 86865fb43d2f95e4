extension Int64 {
    /// Reads the whole number in an attribute's bytes, `-450` and a line feed; `nil` for anything else.
    package init?(attribute bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while let last = rest.last, last <= 0x20 { rest = rest.dropLast() }
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        guard !rest.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in rest {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (shifted, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, exceeds) = shifted.subtractingReportingOverflow(Int64(byte - 0x30))
            if overflows || exceeds { return nil }
            value = sum
        }
        guard isNegative || value != .min else { return nil }
        self = isNegative ? value : -value
    }
}
