import HeadingPipeline
import TestSupport
import Testing

@Suite("IIO device")
struct IIODeviceTests {
    private let tree: FakeIIOTree

    init() throws { tree = try FakeIIOTree() }

    private func device(
        _ attributes: [String: String], at place: String = "platform/i2c-1/1-001e"
    ) throws -> IIODevice {
        try tree.add(0, at: place, attributes)
        return try #require(IIODevice(AttributeFolder(tree.path(0))))
    }

    /// A chip that no quirk knows, at 100 counts along x, 200 along y, -300 along z.
    private func chip(_ extra: [String: String]) -> [String: String] {
        [
            "name": "chip", "in_magn_x_raw": "100", "in_magn_y_raw": "200", "in_magn_z_raw": "-300",
        ].merging(extra) { $1 }
    }

    private func reading(_ device: IIODevice, _ kind: IIOChannel.Kind) throws -> Vector3 {
        let channel = try #require(device.channel(kind))
        var raw = RawCounts()
        for (index, input) in channel.inputs.enumerated() {
            raw[index] = Int64(try #require(device.folder.number(input.rawAttribute)))
        }
        switch channel.conversion.reading(raw) {
        case .sample(let sample): return sample.vector
        case .compass(let compass): return Vector3(compass.magnetic.degrees, 0, 0)
        default: throw Unexpected()
        }
    }

    struct Unexpected: Error {}

    private func expectClose(
        _ a: Vector3, _ b: Vector3, within tolerance: Double = 1e-9,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect((a - b).length <= tolerance, "\(a) is not \(b)", sourceLocation: location)
    }

    // MARK: Scale and offset

    @Test("one scale for all axes, in gauss")
    func sharedScale() throws {
        let device = try device(chip(["in_magn_scale": "0.00091743"]))
        // raw -300 at 0.00091743 G is -27.52 µT.
        expectClose(try reading(device, .magneticField), Vector3(9.1743, 18.3486, -27.5229), within: 1e-4)
        #expect(device.warnings.isEmpty)
    }

    @Test("a scale for each axis")
    func ownScales() throws {
        let scales = ["in_magn_x_scale": "0.001", "in_magn_y_scale": "0.002", "in_magn_z_scale": "0.003"]
        expectClose(try reading(try device(chip(scales)), .magneticField), Vector3(10, 40, -90))
    }

    @Test("an axis's own scale wins over the shared one")
    func mixedScales() throws {
        let scales = ["in_magn_scale": "0.001", "in_magn_x_scale": "0.005"]
        expectClose(try reading(try device(chip(scales)), .magneticField), Vector3(50, 20, -30))
    }

    @Test("an offset is added before the scale")
    func offset() throws {
        let device = try device(chip(["in_magn_scale": "0.001", "in_magn_x_offset": "50"]))
        expectClose(try reading(device, .magneticField), Vector3(15, 20, -30))
    }

    @Test("no scale at all: 1, and a warning")
    func noScale() throws {
        let device = try device(chip([:]))
        expectClose(try reading(device, .magneticField), Vector3(10_000, 20_000, -30_000))
        #expect(device.warnings == ["chip gives no in_magn_scale: 1 is taken"])
    }

    @Test("a scale that refuses to be read is no scale of 1")
    func unreadableScale() throws {
        try tree.add(0, at: "i2c-1/1-001e", chip([:]))
        try tree.makeFolder("sys/devices/i2c-1/1-001e/iio:device0/in_magn_scale")
        let device = try #require(IIODevice(AttributeFolder(tree.path(0))))
        #expect(device.channel(.magneticField) == nil)
        #expect(device.warnings == ["in_magn_scale cannot be read: no magnetic field"])
    }

    @Test("accelerometer in m/s², gyroscope in rad/s")
    func units() throws {
        let device = try device(DriverAttributes.mpu6050)
        expectClose(try reading(device, .acceleration), Vector3(0, 0, 9.797632), within: 1e-6)
        #expect(device.channel(.angularVelocity)?.kind.source == .gyroscope)
        #expect(device.channel(.magneticField) == nil)
        #expect(device.warnings.isEmpty)
    }

    // MARK: Quirks

    @Test("hmc5883l: 189 counts are 0.17321 G")
    func hmc5883l() throws {
        let device = try device(DriverAttributes.hmc5883l)
        expectClose(try reading(device, .magneticField), Vector3(17.321, 10, -45), within: 0.1)
        #expect(
            device.warnings == ["hmc5883l: its driver's scale is 100 times too small for gauss; put right"])
    }

    @Test("hmc5883l with a mended driver is not mended twice")
    func mendedDriver() throws {
        let mended = DriverAttributes.hmc5883l.merging(["in_magn_scale": "0.000917431"]) { $1 }
        let device = try device(mended)
        expectClose(try reading(device, .magneticField), Vector3(17.321, 10, -45), within: 0.1)
        #expect(device.warnings.isEmpty)
    }

    @Test("lsm303dlh_magn: y and z change places, counts a gauss become gauss a count")
    func lsm303dlh() throws {
        let device = try device(DriverAttributes.lsm303dlh)
        // The chip had 1055 and 950 counts a gauss, the driver's table says 1100 and 980.
        expectClose(
            try reading(device, .magneticField),
            Vector3(17.321 * 1055 / 1100, 10 * 1055 / 1100, -45 * 950 / 980), within: 0.1)
    }

    // MARK: Mount matrix

    @Test(
        "a mount matrix under each of its names",
        arguments: ["in_magn_mount_matrix", "in_mount_matrix", "mount_matrix"])
    func mountMatrix(name: String) throws {
        let device = try device(chip(["in_magn_scale": "1", name: "0, 1, 0; -1, 0, 0; 0, 0, 1"]))
        #expect(
            device.channel(.magneticField)?.mountMatrix
                == Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1)))
    }

    @Test("its own mount matrix wins over the device's")
    func ownMountMatrix() throws {
        let device = try device(
            chip([
                "in_magn_scale": "1", "mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1",
                "in_magn_mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1",
            ]))
        #expect(device.channel(.magneticField)?.mountMatrix?.rowX == Vector3(0, 1, 0))
    }

    @Test(
        "a matrix that is no rotation is not used, and said",
        arguments: [
            "0, 0, 0; 0, 0, 0; 0, 0, 0", "1, 0, 0; 0, 1, 0; 0, 0, -1", "1, 0; 0, 1",
            "2, 0, 0; 0, 2, 0; 0, 0, 2",
            "nan, 0, 0; 0, 1, 0; 0, 0, 1", "",
        ])
    func noRotation(text: String) throws {
        let device = try device(chip(["in_magn_scale": "1", "in_mount_matrix": text]))
        #expect(device.channel(.magneticField)?.mountMatrix == nil)
        #expect(device.warnings.count == 1)
    }

    // MARK: Identity

    @Test("the identity is name and place, whatever the number")
    func identity() throws {
        try tree.add(3, at: "soc/i2c-1/1-001e", DriverAttributes.hmc5883l)
        try tree.add(7, at: "soc/spi0.0", chip(["in_magn_scale": "1"]))
        let names = IIORoot(tree.root).devices().map(\.identity)
        #expect(names == ["hmc5883l@1-001e", "chip@spi0.0"])
    }

    @Test("a label takes the place of the place")
    func label() throws {
        let device = try device(chip(["in_magn_scale": "1", "label": "mast"]))
        #expect(device.identity == "chip@mast")
    }

    @Test("a HID device's address leaves out how often it was plugged in")
    func hidAddress() throws {
        let place = "usb1/1-1/0003:1209:0001.0004/HID-SENSOR-200083.1.auto"
        let device = try device(DriverAttributes.magn3d, at: place)
        #expect(device.identity == "magn_3d@0003:1209:0001")
    }

    @Test("a root may hold the devices itself")
    func flatRoot() throws {
        try tree.add(0, at: "i2c-1/1-001e", DriverAttributes.hmc5883l)
        let root = IIORoot(tree.root + "/sys/bus/iio/devices")
        let device = try #require(root.devices().first)
        #expect(root.node(of: device) == "/dev/iio:device0")
        #expect(IIORoot(tree.root).node(of: device) == tree.node(0))
        #expect(IIORoot("/").devicesFolder.path == "/sys/bus/iio/devices")
    }

    // MARK: Heading

    @Test("the report descriptor tells what a count of the heading is")
    func headingUnit() throws {
        try tree.write(hidCompass, to: "sys/devices/uhid/0003:1209:0001.0001/report_descriptor")
        let place = "uhid/0003:1209:0001.0001/HID-SENSOR-200083.1.auto"
        let device = try device(DriverAttributes.magn3d, at: place)
        #expect(try reading(device, .magneticHeading).x.rounded(toPlaces: 6) == 30)
        #expect(device.warnings.isEmpty)
    }

    @Test("without a descriptor 0.01 degrees are taken, and that is said")
    func headingUnitUnknown() throws {
        let device = try device(DriverAttributes.magn3d)
        #expect(try reading(device, .magneticHeading).x.rounded(toPlaces: 6) == 30)
        #expect(device.warnings.count == 1)
    }

    @Test("any other driver's scale gives degrees")
    func headingScale() throws {
        let device = try device([
            "name": "compass", "in_rot_from_north_magnetic_tilt_comp_raw": "-900", "in_rot_scale": "0.1",
        ])
        #expect(try reading(device, .magneticHeading).x.rounded(toPlaces: 6) == 270)
    }

    @Test("other devices are no trouble")
    func otherDevices() throws {
        let device = try device(["name": "ads1015", "in_voltage0_raw": "12", "in_voltage_scale": "3"])
        #expect(device.channels.isEmpty)
        #expect(device.warnings.isEmpty)
    }
}

extension Double {
    fileprivate func rounded(toPlaces places: Int) -> Double {
        var factor = 1.0
        for _ in 0..<places { factor *= 10 }
        return (self * factor).rounded() / factor
    }
}

@Suite("Any tree")
struct AnyTreeTests {
    @Test("any text in any attribute is described without a failure")
    func anyText() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let odd = [
            "", "-", "9223372036854775807", "-1", "1e308", "nan", "[1 2", "le:s64/64X64>>0", "\u{0}", "ä;,",
        ]
        for round in 0..<40 {
            let tree = try FakeIIOTree()
            var attributes = DriverAttributes.hmc5883l.merging(DriverAttributes.magn3d) { $1 }
            for name in attributes.keys where Bool.random(using: &random) {
                attributes[name] = odd.randomElement(using: &random)
            }
            try tree.add(round, at: "i2c-1/1-001e", attributes)
            let root = IIORoot(tree.root)
            let selection = DeviceSelection(from: root.devices(), Settings())
            let frames = selection.magnetometer.device.flatMap { device in
                selection.magnetometer.channel.flatMap { FrameDecoder([$0], of: device) }
            }
            [UInt8](repeating: 0xa5, count: frames?.frameSize ?? 0).withUnsafeBytes { bytes in
                frames?.decode(bytes) { _ in }
            }
            #expect(root.devices().count == 1, "seed \(seed)")
        }
    }
}
