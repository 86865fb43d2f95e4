import HeadingPipeline
import Testing

@Suite("Scan layout")
struct ScanLayoutTests {
    private func element(_ name: String, _ index: Int, _ type: String) throws -> ScanElement {
        ScanElement(name: name, index: index, type: try #require(ScanType(type)))
    }

    @Test("three s16 and a time stamp: the stamp at byte 8 of 16")
    func shorts() throws {
        let layout = ScanLayout([
            try element("in_magn_x", 0, "be:s16/16>>0"), try element("in_magn_y", 1, "be:s16/16>>0"),
            try element("in_magn_z", 2, "be:s16/16>>0"), try element("in_timestamp", 3, "le:s64/64>>0"),
        ])
        #expect(layout.offset(of: "in_timestamp") == 8)
        #expect(layout.frameSize == 16)
    }

    @Test("three s32 and a time stamp: the stamp at byte 16 of 24")
    func words() throws {
        let layout = ScanLayout([
            try element("in_magn_x", 0, "le:s32/32>>0"), try element("in_magn_y", 1, "le:s32/32>>0"),
            try element("in_magn_z", 2, "le:s32/32>>0"), try element("in_timestamp", 3, "le:s64/64>>0"),
        ])
        #expect(layout.offset(of: "in_timestamp") == 16)
        #expect(layout.frameSize == 24)
    }

    @Test("packs anew when a channel is left out")
    func twoOfThree() throws {
        let layout = ScanLayout([
            try element("in_magn_z", 2, "be:s16/16>>0"), try element("in_magn_x", 0, "be:s16/16>>0"),
        ])
        #expect(layout.offset(of: "in_magn_x") == 0)
        #expect(layout.offset(of: "in_magn_z") == 2)
        #expect(layout.offset(of: "in_magn_y") == nil)
        #expect(layout.frameSize == 4)
    }

    @Test("goes by the index, not by the name")
    func order() throws {
        let layout = ScanLayout([
            try element("in_magn_x", 0, "be:s16/16>>0"), try element("in_magn_y", 2, "be:s16/16>>0"),
            try element("in_magn_z", 1, "be:s16/16>>0"),
        ])
        #expect(layout.offset(of: "in_magn_z") == 2)
        #expect(layout.offset(of: "in_magn_y") == 4)
        #expect(layout.frameSize == 6)
    }

    @Test("a byte before a word leaves a gap")
    func alignment() throws {
        let layout = ScanLayout([
            try element("in_temp", 0, "le:s8/8>>0"), try element("in_magn_x", 1, "le:s32/32>>0"),
            try element("in_light", 2, "le:u8/8>>0"),
        ])
        #expect(layout.offset(of: "in_magn_x") == 4)
        #expect(layout.offset(of: "in_light") == 8)
        #expect(layout.frameSize == 12)
    }

    @Test("nothing enabled is no frame")
    func empty() { #expect(ScanLayout([]).frameSize == 0) }
}
