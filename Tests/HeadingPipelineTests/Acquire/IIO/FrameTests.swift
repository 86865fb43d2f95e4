import HeadingPipeline
import TestSupport
import Testing

/// Frames that real drivers put in their buffers, transcribed with the field in which they were taken: the chip at
/// rest, heading 30, 0.17321, 0.1, -0.45 gauss along its axes.
@Suite("Frames of a buffer")
struct FrameTests {
    private func decoder(
        _ attributes: [String: String], _ kinds: [IIOChannel.Kind], at place: String = "i2c-1/1-001e"
    ) throws -> FrameDecoder {
        let tree = try FakeIIOTree()
        try tree.add(0, at: place, attributes)
        let device = try #require(IIODevice(AttributeFolder(tree.path(0))))
        let channels = try kinds.map { try #require(device.channel($0)) }
        return try #require(FrameDecoder(channels, of: device))
    }

    private func samples(_ decoder: FrameDecoder, _ frame: [UInt8]) -> [Reading.Content] {
        var contents: [Reading.Content] = []
        frame.withUnsafeBytes { decoder.decode($0) { contents.append($0) } }
        return contents
    }

    private func field(_ contents: [Reading.Content]) throws -> Vector3 {
        guard case .sample(let sample)? = contents.first else { throw Missing() }
        return sample.vector
    }

    struct Missing: Error {}

    @Test("hmc5883l: big-endian, in the order x z y")
    func hmc5883l() throws {
        let decoder = try decoder(DriverAttributes.hmc5883l, [.magneticField])
        let frame: [UInt8] = [
            0x00, 0xbd, 0xfe, 0x15, 0x00, 0x6d, 0x00, 0x00, 0xd7, 0x92, 0x27, 0x5e, 0x72, 0xd0, 0xec, 0x18,
        ]
        #expect(decoder.frameSize == 16)
        let field = try field(samples(decoder, frame))
        #expect(abs(field.x - 17.321) < 0.1 && abs(field.y - 10) < 0.1 && abs(field.z + 45) < 0.1)
        #expect(frame.withUnsafeBytes { decoder.timestamp(of: $0) } == 0x18ec_d072_5e27_92d7)
    }

    @Test("bmc150_magn: 32 bits, the stamp at byte 16")
    func bmc150() throws {
        let decoder = try decoder(DriverAttributes.bmc150Magn, [.magneticField])
        let frame: [UInt8] = [
            0x17, 0x01, 0x00, 0x00, 0x9c, 0x00, 0x00, 0x00, 0x30, 0xfd, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00,
            0xe4, 0x29, 0x3e, 0xaa, 0x82, 0xd0, 0xec, 0x18,
        ]
        #expect(decoder.frameSize == 24)
        let field = try field(samples(decoder, frame))
        // 279, 156, -720 counts of 0.0625 µT.
        #expect(field == Vector3(17.4375, 9.75, -45))
    }

    @Test("the HID compass: all it has in each frame, no stamp, upper halves that are not its own")
    func hid() throws {
        let place = "uhid/0003:1209:0001.0001/HID-SENSOR-200083.2.auto"
        // With the true heading, which nobody asked for: its driver gives it all the same.
        let frame: [UInt8] = [
            0xad, 0x00, 0x64, 0x00, 0x64, 0x00, 0x3e, 0xfe, 0x3e, 0xfe, 0x00, 0x00, 0xb8, 0x0b, 0x00, 0x00,
            0xb8, 0x0b, 0x00, 0x00,
        ]
        for kinds in [[.magneticField, .magneticHeading], [.magneticField], [.magneticHeading]]
            as [[IIOChannel.Kind]]
        {
            let decoder = try decoder(DriverAttributes.magn3d, kinds, at: place)
            #expect(decoder.frameSize == 20)
            let contents = samples(decoder, frame)
            #expect(contents.count == kinds.count)
            if kinds.contains(.magneticField) {
                let field = try field(contents)
                #expect(
                    abs(field.x - 17.3) < 1e-9 && abs(field.y - 10) < 1e-9 && abs(field.z + 45) < 1e-9)
            }
            if kinds.contains(.magneticHeading) {
                guard case .compass(let compass)? = contents.last else { throw Missing() }
                #expect(abs(compass.magnetic.degrees - 30) < 1e-9)
            }
            #expect(frame.withUnsafeBytes { decoder.timestamp(of: $0) } == nil)
        }
    }

    @Test("half a frame gives nothing")
    func half() throws {
        let decoder = try decoder(DriverAttributes.hmc5883l, [.magneticField])
        #expect(samples(decoder, [UInt8](repeating: 0, count: 15)).isEmpty)
    }

    @Test(
        "an axis at its limit is saturated",
        arguments: [
            ([0x7f, 0xff, 0, 0, 0, 0], true), ([0xf0, 0x00, 0, 0, 0, 0], true),
            ([0, 0, 0, 0, 0xf0, 0x00], true), ([0x07, 0xfe, 0, 0, 0, 0], false),
        ] as [([UInt8], Bool)])
    func saturated(axes: [UInt8], isSaturated: Bool) throws {
        // 32767, and the HMC5883's -4096 for an overflow.
        let decoder = try decoder(DriverAttributes.hmc5883l, [.magneticField])
        let contents = samples(decoder, axes + [UInt8](repeating: 0, count: 10))
        guard case .sample(let sample)? = contents.first else { throw Missing() }
        #expect(sample.isSaturated == isSaturated)
    }

    // MARK: Cut reads

    private func feed(_ buffer: inout FrameBuffer, _ bytes: [UInt8]) {
        let result: Result<Int, Missing> = buffer.fill { target in
            target.copyBytes(from: bytes)
            return .success(bytes.count)
        }
        #expect(throws: Never.self) { try result.get() }
    }

    @Test("7 of 16 bytes, then 9: exactly one frame")
    func sevenAndNine() {
        var buffer = FrameBuffer(frameSize: 16, frames: 4)
        let frame = (0..<16).map { UInt8($0) }
        var frames: [[UInt8]] = []
        feed(&buffer, Array(frame[..<7]))
        buffer.takeFrames { bytes, _ in frames.append(Array(bytes)) }
        #expect(frames.isEmpty)
        feed(&buffer, Array(frame[7...]))
        buffer.takeFrames { bytes, _ in frames.append(Array(bytes)) }
        #expect(frames == [frame])
        buffer.takeFrames { bytes, _ in frames.append(Array(bytes)) }
        #expect(frames.count == 1)
    }

    @Test("several frames at once, oldest first, with the rest kept")
    func several() {
        var buffer = FrameBuffer(frameSize: 2, frames: 4)
        var seen: [UInt8] = []
        var following: [Int] = []
        feed(&buffer, [1, 1, 2, 2, 3])
        buffer.takeFrames {
            seen.append($0[0]); following.append($1)
        }
        feed(&buffer, [3, 4, 4])
        buffer.takeFrames {
            seen.append($0[0]); following.append($1)
        }
        #expect(seen == [1, 2, 3, 4])
        #expect(following == [1, 0, 1, 0])
    }

    @Test("a read that fails changes nothing")
    func failure() {
        var buffer = FrameBuffer(frameSize: 2, frames: 2)
        feed(&buffer, [7])
        let result: Result<Int, Missing> = buffer.fill { _ in .failure(Missing()) }
        #expect(throws: Missing.self) { try result.get() }
        feed(&buffer, [8])
        var seen: [[UInt8]] = []
        buffer.takeFrames { bytes, _ in seen.append(Array(bytes)) }
        #expect(seen == [[7, 8]])
    }
}
