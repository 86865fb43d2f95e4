import HeadingPipeline
import TestSupport
import Testing

/// Trees of real drivers, recorded from a running kernel, each with the field and the gravity that its simulated
/// chip was given.
@Suite("Recorded trees", .needsSharedData)
struct RecordedTreeTests {
    struct Tree: Sendable, CustomTestStringConvertible {
        var file: String
        /// How far the strength along an axis may be from the truth.
        var tolerance: Double
        /// The field in the chip, as a multiple of the truth.
        var factor = 1.0
        var testDescription: String { file }
        init(_ file: String, tolerance: Double = 0.02, factor: Double = 1) {
            self.file = file
            self.tolerance = tolerance
            self.factor = factor
        }
    }

    private static let magnetometers = [
        // Its chip was filled with 16-bit counts, which the driver takes for 14.
        Tree("ak8963", factor: 4), Tree("ak09911"), Tree("ak09916"), Tree("ak8975", tolerance: 0.08),
        Tree("ak8975-buffer", tolerance: 0.08), Tree("bmc150_magn"), Tree("bmc150_magn-buffer"),
        Tree("hid-magn_3d"), Tree("hmc5843"), Tree("hmc5883l"), Tree("hmc5883l-buffer"), Tree("hmc5983"),
        // 1090 counts a gauss in the chip, 1024 in this driver's table.
        Tree("hmc5883", tolerance: 0.07), Tree("lis2mdl"), Tree("lis2mdl-buffer"), Tree("lis3mdl"),
        Tree("lsm303agr_magn"), Tree("lsm303dlh_magn", tolerance: 0.05), Tree("lsm303dlhc_magn"),
        Tree("lsm303dlhc_magn-buffer"), Tree("lsm9ds1_magn"), Tree("mag3110"), Tree("mag3110-buffer"),
        Tree("mmc35240"),
    ]

    @Test("gives the field that the chip was in", arguments: magnetometers)
    func field(_ recorded: Tree) throws {
        let recording = try Recording(recorded.file)
        let root = IIORoot(recording.tree.root)
        var settings = Settings()
        settings.magnetometer.output = .field
        let choice = DeviceSelection(from: root.devices(), settings).magnetometer
        let device = try #require(choice.device, "\(choice.reason)")
        let sample = try recording.sample(device, .magneticField)
        let truth = recording.field * (100 * recorded.factor)
        // One count and what the driver's own rounding takes.
        let slack = 0.6 + recorded.tolerance * truth.length
        #expect((sample.vector - truth).length < slack, "\(sample.vector) is not \(truth)")
        #expect(!sample.isSaturated)
        #expect(device.warnings.allSatisfy { !$0.contains("1 is taken") })
    }

    @Test(
        "gives the gravity that the chip was in",
        arguments: [
            "accel-bmc150_accel", "accel-lis3dh", "accel-lsm303dlhc_accel", "accel-lsm6ds3", "accel-mma7660",
            "accel-mpu6050",
        ])
    func gravity(file: String) throws {
        let recording = try Recording(file)
        let choice = DeviceSelection(from: IIORoot(recording.tree.root).devices(), Settings()).accelerometer
        let device = try #require(choice.device, "\(choice.reason)")
        let sample = try recording.sample(device, .acceleration)
        #expect((sample.vector - recording.gravity * 9.80665).length < 0.05)
        #expect(device.warnings.isEmpty)
    }

    @Test("the compass of its own gives the heading")
    func heading() throws {
        let recording = try Recording("hid-magn_3d")
        let choice = DeviceSelection(from: IIORoot(recording.tree.root).devices(), Settings()).magnetometer
        let device = try #require(choice.device)
        #expect(choice.channel?.kind == .magneticHeading)
        guard case .compass(let compass) = try recording.reading(device, .magneticHeading) else { return }
        #expect(abs(compass.magnetic.degrees - 30) < 1e-9)
    }

    @Test("a gyroscope and an accelerometer of one chip are two devices")
    func lsm6ds3() throws {
        let recording = try Recording("accel-lsm6ds3")
        let selection = DeviceSelection(from: IIORoot(recording.tree.root).devices(), Settings())
        #expect(selection.gyroscope.device?.name == "lsm6ds3_gyro")
        #expect(selection.accelerometer.device?.name == "lsm6ds3_accel")
    }
}

/// One recording, laid out as a tree again.
private struct Recording {
    let tree: FakeIIOTree
    /// Gauss, and g, along the chip's axes.
    let field: Vector3
    let gravity: Vector3

    struct NoTruth: Error {}

    init(_ file: String) throws {
        let lines = try SharedData.text("iio/\(file).txt").split(whereSeparator: \.isNewline)
        tree = try FakeIIOTree()
        var attributes: [Int: [String: String]] = [:]
        var refusing: [(Int, String)] = []
        for line in lines {
            guard let found = Attribute(line) else { continue }
            if let value = found.value {
                attributes[found.device, default: [:]][found.name] = value
            } else {
                refusing.append((found.device, found.name))
            }
        }
        for (number, values) in attributes { try tree.add(number, at: "i2c-0/0-00\(number)e", values) }
        // A folder is there and cannot be read, as the attribute was.
        for (number, name) in refusing {
            try tree.makeFolder("sys/devices/i2c-0/0-00\(number)e/iio:device\(number)/\(name)")
        }
        let truth = lines.compactMap(Self.truth).first
        guard let truth else { throw NoTruth() }
        field = Vector3(truth[4], truth[5], truth[6])
        gravity = Vector3(truth[7], truth[8], truth[9])
        counts = attributes
    }

    private let counts: [Int: [String: String]]

    /// `time heading pitch roll mx my mz ax ay az`, with or without words before it.
    private static func truth(_ line: Substring) -> [Double]? {
        let numbers = line.split(separator: " ").compactMap { Double($0) }
        return numbers.count == 10 ? numbers : nil
    }

    func sample(_ device: IIODevice, _ kind: IIOChannel.Kind) throws -> SensorSample {
        guard case .sample(let sample) = try reading(device, kind) else { throw NoTruth() }
        return sample
    }

    func reading(_ device: IIODevice, _ kind: IIOChannel.Kind) throws -> Reading.Content {
        let channel = try #require(device.channel(kind), "\(device.warnings)")
        var raw = RawCounts()
        for (index, input) in channel.inputs.enumerated() {
            // Where the buffer ran, the raw attributes were busy; the frame had the same counts.
            let text = counts[device.number]?[input.rawAttribute] ?? Self.captured[device.name]?[index]
            raw[index] = try #require(text.flatMap { Int64($0) }, "\(input.name)")
        }
        return channel.conversion.reading(raw)
    }

    private static let captured = [
        "bmc150_magn": ["279", "156", "-720"], "lis2mdl": ["115", "67", "-300"],
        "lsm303dlhc_magn": ["191", "110", "-441"], "mag3110": ["173", "100", "-450"],
    ]
}

/// `-rw-r--r-- /sys/bus/iio/devices/iio:device0/name = hmc5883l`, or `! Invalid argument` for a refusal.
private struct Attribute {
    var device: Int
    var name: String
    var value: String?

    init?(_ line: Substring) {
        let mark = "/sys/bus/iio/devices/iio:device"
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count == 4, words[1].hasPrefix(mark), words[2] == "=" || words[2] == "!" else {
            return nil
        }
        let place = words[1].dropFirst(mark.count).split(separator: "/", maxSplits: 1)
        guard place.count == 2, let device = Int(place[0]), place[1] != "uevent" else { return nil }
        self.device = device
        name = String(place[1])
        value = words[2] == "!" ? nil : words[3] == "(empty)" ? "" : String(words[3])
    }
}
