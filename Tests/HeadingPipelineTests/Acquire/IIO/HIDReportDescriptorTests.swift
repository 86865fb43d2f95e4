import HeadingPipeline
import Testing

/// A 3D compass: heading in 0.01 degree (unit 0x14, exponent -2 as a nibble), flux without a unit.
let hidCompass: [UInt8] = [
    0x05, 0x20, 0x09, 0x01, 0xa1, 0x01,  // sensor page, collection (application)
    0x85, 0x01, 0x05, 0x20, 0x09, 0x83, 0xa1, 0x00,  // report 1, 3D compass (physical)
    0x0a, 0x0e, 0x03, 0x75, 32, 0x95, 1, 0x55, 0x00, 0xb1, 0x02,  // feature: interval
    0x0a, 0x84, 0x14, 0x75, 16, 0x95, 1, 0x55, 0x0d, 0xb1, 0x02,  // feature: sensitivity
    0x0a, 0x75, 0x04, 0x15, 0x00, 0x27, 0x9f, 0x8c, 0, 0, 0x75, 32, 0x65, 0x14, 0x55, 0x0e, 0x81, 0x02,
    0x0a, 0x85, 0x04, 0x75, 16, 0x65, 0x00, 0x55, 0x00, 0x81, 0x02,  // input: flux x
    0xc0, 0xc0,
]

@Suite("HID report descriptor")
struct HIDReportDescriptorTests {
    private let heading = HIDReportDescriptor.compensatedMagneticNorth

    @Test("finds the unit of an input")
    func unit() {
        let field = HIDReportDescriptor(hidCompass).input(heading)
        #expect(field?.unit == HIDReportDescriptor.degrees)
        #expect(field?.unitExponent == -2)
        #expect(HIDReportDescriptor(hidCompass).input(0x0020_0485)?.unitExponent == 0)
        // A feature is no input.
        #expect(HIDReportDescriptor(hidCompass).input(0x0020_030e) == nil)
    }

    @Test(
        "takes an exponent as a nibble and as a number",
        arguments: [
            ([0x55, 0x0f], -1), ([0x55, 0x0b], -5), ([0x55, 0xfe], -2), ([0x55, 0x07], 7),
            ([0x56, 0xfd, 0xff], -3), ([0x57, 0xfb, 0xff, 0xff, 0xff], -5),
        ] as [([UInt8], Int)])
    func exponents(item: [UInt8], exponent: Int) {
        let bytes: [UInt8] = [0x05, 0x20, 0x0a, 0x75, 0x04] + item + [0x81, 0x02]
        #expect(HIDReportDescriptor(bytes).input(heading)?.unitExponent == exponent)
    }

    @Test("a usage of four bytes carries its page; push and pop keep the rest")
    func longUsage() {
        let bytes: [UInt8] = [
            0x05, 0x01, 0x55, 0x0e, 0xa4, 0x55, 0x03, 0xb4, 0x0b, 0x75, 0x04, 0x20, 0x00, 0x81, 0x02,
        ]
        #expect(HIDReportDescriptor(bytes).input(heading)?.unitExponent == -2)
    }

    @Test("a long item is skipped")
    func longItem() {
        let bytes: [UInt8] = [0xfe, 0x02, 0x01, 0xaa, 0xbb, 0x05, 0x20, 0x0a, 0x75, 0x04, 0x81, 0x02]
        #expect(HIDReportDescriptor(bytes).input(heading) != nil)
    }

    @Test("never fails on any bytes")
    func anyBytes() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(HIDReportDescriptor(bytes).inputs.count <= bytes.count, "seed \(seed)")
        }
    }

    @Test("every beginning of a descriptor is taken")
    func cutShort() {
        for length in 0...hidCompass.count {
            _ = HIDReportDescriptor(Array(hidCompass[..<length]))
        }
    }
}
