/// How one channel's value lies in the bytes of a buffer, as the kernel writes it in `in_magn_x_type`:
/// `[be|le]:[s|u]bits/storagebits[Xrepeat]>>shift`, for example `le:s12/16>>4`.
package struct ScanType: Hashable, Sendable {
    package var isBigEndian: Bool
    package var isSigned: Bool
    /// How many bits count; those above them may be a neighbour's.
    package var bits: Int
    package var storageBits: Int
    /// How often the value stands one after the other (a quaternion: 4).
    package var repeats: Int
    /// How many bits lie below the value.
    package var shift: Int

    /// `nil` for any text that is not a type with 8, 16, 32 or 64 storage bits that hold its bits.
    package init?(_ text: String) {
        var reader = TypeReader(text)
        let order = reader.byteOrder()
        guard let isSigned = reader.isSigned(), let bits = reader.number(), reader.skip("/"),
            let storage = reader.number()
        else { return nil }
        let repeats = reader.skip("X") ? reader.number() : 1
        let shift = reader.isAtEnd ? 0 : reader.skip(">") && reader.skip(">") ? reader.number() : nil
        guard let repeats, let shift, reader.isAtEnd else { return nil }
        isBigEndian = order == .big
        self.isSigned = isSigned
        self.bits = bits
        storageBits = storage
        self.repeats = repeats
        self.shift = shift
        guard [8, 16, 32, 64].contains(storage), bits > 0, bits + shift <= storage, (1...64).contains(repeats)
        else { return nil }
    }

    /// Bytes that the channel takes in a frame, and the multiple at which it starts.
    package var byteCount: Int { storageBits / 8 * repeats }

    /// The least and the greatest value that the bits can hold.
    package var range: ClosedRange<Int64> {
        if isSigned { return (Int64.min >> (64 - bits))...(Int64.max >> (64 - bits)) }
        return 0...Int64(clamping: UInt64.max >> UInt64(64 - bits))
    }

    /// The (first) value in the bytes that start at `offset`; `nil` where they end too early.
    package func value(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int64? {
        let size = storageBits / 8
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        var word: UInt64 = 0
        for index in 0..<size {
            let byte = bytes[offset + (isBigEndian ? index : size - 1 - index)]
            word = word << 8 | UInt64(byte)
        }
        let aligned = (word >> UInt64(shift)) << UInt64(64 - bits)
        if isSigned { return Int64(bitPattern: aligned) >> Int64(64 - bits) }
        return Int64(clamping: aligned >> UInt64(64 - bits))
    }
}

private struct TypeReader {
    enum Order { case little, big }
    private var rest: Substring.UTF8View
    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Kernels before 3.0 left the order out: the machine's own.
    mutating func byteOrder() -> Order {
        let isBig = rest.starts(with: "be:".utf8)
        if isBig || rest.starts(with: "le:".utf8) { rest = rest.dropFirst(3) }
        return isBig ? .big : .little
    }

    mutating func isSigned() -> Bool? {
        if skip("s") { return true }
        return skip("u") ? false : nil
    }

    /// At most three digits: no type needs more.
    mutating func number() -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
