import HeadingPipeline
import Testing

@Suite("Scan type")
struct ScanTypeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var type: String
        var bytes: [UInt8]
        var value: Int64
        var testDescription: String { "\(type) \(bytes)" }
        init(_ type: String, _ bytes: [UInt8], _ value: Int64) {
            self.type = type
            self.bytes = bytes
            self.value = value
        }
    }

    @Test(
        "decodes a value",
        arguments: [
            Case("le:s32/32>>0", [0xFF, 0xFF, 0xFF, 0x7F], 2_147_483_647),
            Case("be:s16/16>>0", [0xFF, 0xFE], -2),
            Case("le:s12/16>>4", [0x30, 0x82], -2013),
            Case("le:s24/32>>8", [0x00, 0x01, 0xFF, 0xFF], -255),
            // The upper half is the neighbour's (hid-sensor-magn-3d).
            Case("le:s16/32>>0", [0xAD, 0x00, 0x64, 0x00], 0xAD),
            Case("le:s16/32>>0", [0x3E, 0xFE, 0x00, 0x00], -450),
            Case("le:u16/16>>0", [0xFF, 0xFF], 65535),
            Case("le:s8/8>>0", [0x80], -128),
            Case("be:s64/64>>0", [0x80, 0, 0, 0, 0, 0, 0, 0], .min),
            Case("le:u64/64>>0", [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .max),
            Case("be:u12/16>>4", [0xAB, 0xCD], 0xABC),
            Case("s16/16>>0", [0x01, 0x02], 0x0201),
            Case("be:s24/32>>8", [0xFF, 0xFF, 0x01, 0x77], -255),
        ])
    func decodes(_ example: Case) throws {
        let type = try #require(ScanType(example.type))
        #expect(example.bytes.withUnsafeBytes { type.value(in: $0, at: 0) } == example.value)
        #expect(example.bytes.withUnsafeBytes { type.value(in: $0, at: 1) } == nil)
    }

    @Test(
        "knows the ends of its range",
        arguments: [
            ("be:s16/16>>0", -32768, 32767), ("le:s12/16>>4", -2048, 2047), ("le:u8/8>>0", 0, 255),
            ("le:s64/64>>0", Int64.min, Int64.max), ("le:u64/64>>0", 0, Int64.max),
        ])
    func range(text: String, least: Int64, greatest: Int64) {
        #expect(ScanType(text)?.range == least...greatest)
    }

    @Test("takes a repeated value's room")
    func repeats() { #expect(ScanType("le:s16/16X4>>0")?.byteCount == 8) }

    @Test(
        "refuses what is no type",
        arguments: [
            "", "le:", "le:s16", "le:s16/", "xe:s16/16>>0", "le:f32/32>>0", "le:s0/16>>0", "le:s17/16>>0",
            "le:s16/24>>0", "le:s16/16>>1", "le:s16/16>", "le:s16/16>>", "le:s16/16X0>>0", "le:s16/16>>0 ",
            "le:s9999999999999999999/16>>0", "le:s16/16X>>0", "le:s-1/16>>0",
        ])
    func refuses(text: String) { #expect(ScanType(text) == nil) }

    @Test("never fails on any text and any bytes")
    func anyBytes() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let letters = Array("lebesu0123468>>/X:")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...14, using: &random)).map { _ in
                    letters.randomElement(using: &random) ?? "s"
                })
            let types = [text, "le:s\(UInt8.random(in: 0...70, using: &random))/64>>\(text.count)"]
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            for type in types.compactMap({ ScanType($0) }) {
                let offset = Int.random(in: -2...12, using: &random)
                if let value = bytes.withUnsafeBytes({ type.value(in: $0, at: offset) }) {
                    #expect(type.range.contains(value), "seed \(seed), \(type), \(bytes)")
                }
            }
        }
    }

    @Test("has a range for each number of bits")
    func ranges() throws {
        #expect(try #require(ScanType("le:u63/64>>0")).range == 0...Int64.max)
        #expect(try #require(ScanType("le:u64/64>>0")).range == 0...Int64.max)
        #expect(try #require(ScanType("le:u62/64>>0")).range == 0...4_611_686_018_427_387_903)
        #expect(try #require(ScanType("le:u1/8>>0")).range == 0...1)
        #expect(try #require(ScanType("le:s64/64>>0")).range == Int64.min...Int64.max)
        #expect(try #require(ScanType("le:s12/16>>4")).range == -2048...2047)
    }
}
