/// The values in a HID device's input reports, with their units.
///
/// Items after "Device Class Definition for HID 1.11", section 6.2.2.
package struct HIDReportDescriptor: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var usage: UInt32
        /// The HID unit code; 0 where the device leaves it to the usage (degrees for a heading).
        package var unit: UInt32
        /// Counts times ten to this power are units.
        package var unitExponent: Int
    }

    package private(set) var inputs: [Field] = []

    /// "Data Field: Heading compensated magnetic north" of the sensor page (HID Usage Tables, chapter 20).
    package static let compensatedMagneticNorth: UInt32 = 0x0020_0475
    /// The unit codes of the two angles.
    package static let degrees: UInt32 = 0x14
    package static let radians: UInt32 = 0x12

    package init(_ bytes: [UInt8]) {
        var items = Items(bytes)
        var state = Globals()
        var saved: [Globals] = []
        var usages: [UInt32] = []
        while let item = items.next() {
            switch item.kind {
            case .usagePage: state.page = item.value << 16
            case .unit: state.unit = item.value
            case .unitExponent: state.exponent = Self.exponent(item)
            case .push: saved.append(state)
            case .pop: state = saved.popLast() ?? state
            case .usage: usages.append(item.size == 4 ? item.value : state.page | item.value)
            case .input:
                inputs += usages.map { Field(usage: $0, unit: state.unit, unitExponent: state.exponent) }
                usages = []
            case .otherMain: usages = []
            case .other: break
            }
        }
    }

    package func input(_ usage: UInt32) -> Field? { inputs.first { $0.usage == usage } }

    private struct Globals {
        var page: UInt32 = 0
        var unit: UInt32 = 0
        var exponent = 0
    }

    /// The standard has a two's complement nibble; many devices write a signed byte. The kernel takes either.
    private static func exponent(_ item: Items.Item) -> Int {
        if item.value & ~0xf == 0 { return item.value < 8 ? Int(item.value) : Int(item.value) - 16 }
        switch item.size {
        case 1: return Int(Int8(truncatingIfNeeded: item.value))
        case 2: return Int(Int16(truncatingIfNeeded: item.value))
        default: return Int(Int32(truncatingIfNeeded: item.value))
        }
    }
}

/// Cuts a report descriptor into its items; ends at the first that is cut short.
private struct Items {
    enum Kind { case usagePage, unit, unitExponent, push, pop, usage, input, otherMain, other }

    struct Item {
        var kind: Kind
        var size: Int
        var value: UInt32
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Item? {
        guard position < bytes.count else { return nil }
        let head = bytes[position]
        if head == 0xfe { return skipLongItem() }
        let size = head & 3 == 3 ? 4 : Int(head & 3)
        guard position + size < bytes.count else { return nil }
        var value: UInt32 = 0
        for index in 0..<size { value |= UInt32(bytes[position + 1 + index]) << UInt32(8 * index) }
        position += 1 + size
        return Item(kind: Self.kind(head & 0xfc), size: size, value: value)
    }

    private mutating func skipLongItem() -> Item? {
        guard position + 1 < bytes.count else { return nil }
        position += 3 + Int(bytes[position + 1])
        return Item(kind: .other, size: 0, value: 0)
    }

    private static func kind(_ tag: UInt8) -> Kind {
        switch tag {
        case 0x04: .usagePage
        case 0x54: .unitExponent
        case 0x64: .unit
        case 0xa4: .push
        case 0xb4: .pop
        case 0x08: .usage
        case 0x80: .input
        case 0x90, 0xa0, 0xb0, 0xc0: .otherMain
        default: .other
        }
    }
}
