import Glibc
import HeadingPipeline
import TestSupport
import Testing

@testable import compass_mqtt

@Suite("IIO sources", .timeLimit(.minutes(2)))
struct IIOSourceTests {
    private let tree: FakeIIOTree
    private var settings = Settings()

    init() throws {
        tree = try FakeIIOTree()
        settings.magnetometer.iioRoot = tree.root
        settings.magnetometer.sensor.rate = 50
    }

    private func running(_ settings: Settings) throws -> RunningSource {
        try RunningSource(IIOSource(.magnetometer, plan: IIOPlan(settings)))
    }

    // MARK: Polled

    @Test("polls the raw attributes and tells what it opened")
    mutating func polled() throws {
        settings.magnetometer.sensor.mode = .polled
        try tree.add(0, at: "i2c-1/1-001e", DriverAttributes.hmc5883l)
        let source = try running(settings)
        let description = try source.next { $0.openedMagnetometer }
        #expect(description.identity == "hmc5883l@1-001e")
        #expect(description.name == "hmc5883l")
        #expect(description.mode == "polled")
        #expect(description.mountMatrix == .identity)
        let sample = try source.next { $0.sample }
        #expect((sample.vector - Vector3(17.321, 10, -45)).length < 0.1)
        // 75 is the nearest of its frequencies that is enough for 50.
        #expect(tree.value("in_magn_sampling_frequency", of: 0) == "75.0")
        let count = source.all(for: 1).compactMap(\.sample).count
        #expect((35...52).contains(count), "\(count) samples in a second at 50 Hz")
    }

    @Test("a device without a buffer is polled in automatic mode")
    func noBuffer() throws {
        try tree.add(0, at: "i2c-1/1-0030", DriverAttributes.mmc35240)
        let source = try running(settings)
        #expect(try source.next { $0.openedMagnetometer }.mode == "polled")
        #expect(try source.next { $0.sample }.vector.x == 17.2)
    }

    @Test("a rate that was tried for the buffer is not left to the polling that takes its place")
    mutating func rateAfterTheBuffer() throws {
        settings.magnetometer.sensor.rate = 20
        var attributes = DriverAttributes.hmc5883l.filter { !$0.key.contains("/") }
        attributes["in_magn_sampling_frequency"] = "75.000000"
        try tree.add(0, at: "i2c-1/1-001e", attributes)
        let source = try running(settings)
        #expect(try source.next { $0.openedMagnetometer }.mode == "polled")
        // 30 would do for 20 frames a second, but three axes that are each measured anew take 60.
        #expect(tree.value("in_magn_sampling_frequency", of: 0)?.hasPrefix("75.0") == true)
    }

    @Test("readings that fail are refused one by one, and the first good one comes through")
    mutating func failing() throws {
        settings.magnetometer.sensor.mode = .polled
        try tree.add(0, at: "i2c-1/1-0030", DriverAttributes.mmc35240)
        let source = try running(settings)
        _ = try source.next { $0.sample }
        try tree.write([], to: "sys/bus/iio/devices/iio:device0/in_magn_y_raw")
        for _ in 0..<20 { #expect(try source.next { $0.rejection } == .malformed) }
        try tree.set("in_magn_y_raw", of: 0, to: "77")
        let start = SystemClock.now()
        while try source.next({ $0.sample }).vector.y != 7.7 {}
        #expect(SystemClock.now() - start < .seconds(1))
    }

    @Test("an error of the driver is a failed reading")
    mutating func driverError() throws {
        settings.magnetometer.sensor.mode = .polled
        var attributes = DriverAttributes.mmc35240
        attributes["in_magn_z_raw"] = nil
        try tree.add(0, at: "i2c-1/1-0030", attributes)
        // Opens, but every read fails.
        try tree.makeFolder("sys/devices/i2c-1/1-0030/iio:device0/in_magn_z_raw")
        let source = try running(settings)
        for _ in 0..<10 { #expect(try source.next { $0.rejection } == .readFailed) }
        #expect(source.isAlive)
    }

    @Test("a device that vanishes is picked up again under another number")
    mutating func returning() throws {
        settings.magnetometer.sensor.mode = .polled
        try tree.add(0, at: "i2c-1/1-0030", DriverAttributes.mmc35240)
        let source = try running(settings)
        _ = try source.next { $0.sample }
        try vanish(0)
        #expect(try source.next { $0.lossReason }.hasPrefix("the device is gone"))
        // Another one does not take its place.
        try tree.add(0, at: "i2c-1/1-000c", DriverAttributes.ak8975)
        try tree.add(1, at: "i2c-1/1-0030", DriverAttributes.mmc35240)
        #expect(try source.next { $0.openedMagnetometer }.identity == "mmc35240@1-0030")
        #expect(try source.next { $0.sample }.vector.x == 17.2)
    }

    @Test("a device that comes late is found")
    func late() throws {
        let source = try running(settings)
        #expect(
            try source.next { $0.lossReason } == "no device gives magnetic field or tilt-compensated heading")
        try tree.add(0, at: "i2c-1/1-0030", DriverAttributes.mmc35240)
        #expect(try source.next { $0.openedMagnetometer }.name == "mmc35240")
    }

    @Test("one device that serves for three is read by one source")
    mutating func shared() throws {
        let nine = DriverAttributes.mpu6050.merging([
            "name": "mpu9250", "in_magn_x_raw": "1", "in_magn_y_raw": "2", "in_magn_z_raw": "3",
            "in_magn_scale": "0.0015",
        ]) { $1 }
        try tree.add(0, at: "i2c-1/1-0068", nine)
        let sources = try IIOSource.all(settings).map { try RunningSource($0) }
        #expect(sources.count == 3)
        var opened: Set<Source> = []
        while opened.count < 3 {
            opened.insert(try sources[0].next { $0.openedSource })
        }
        let heard = Set(sources[0].all(for: 0.3).compactMap { $0.sample?.source })
        #expect(heard == [.magnetometer, .accelerometer, .gyroscope])
        #expect(sources[1].all(for: 0.1).isEmpty)
        #expect(sources[2].all(for: 0.1).isEmpty)
    }

    @Test("a compass of its own gives headings, and the field once there is an accelerometer")
    mutating func compass() throws {
        settings.magnetometer.sensor.mode = .polled
        try tree.add(0, at: "uhid/0003:1209:0001.0001/HID-SENSOR-200083.1.auto", DriverAttributes.magn3d)
        let sources = try IIOSource.all(settings).map { try RunningSource($0) }
        let heading = try sources[0].next { $0.compass }
        #expect(abs(heading.magnetic.degrees - 30) < 1e-9)
        try tree.add(1, at: "i2c-1/1-0068", DriverAttributes.mpu6050)
        #expect(try sources[0].next(within: 20) { $0.sample }.source == .magnetometer)
    }

    // MARK: Buffered

    @Test("reads frames as the kernel cuts them: 7 bytes, then 9, are one sample")
    func buffered() throws {
        let pipe = try BufferPipe(tree, DriverAttributes.hmc5883l)
        let source = try running(settings)
        #expect(try source.next { $0.openedMagnetometer }.mode == "buffer")
        try pipe.open()
        try pipe.send(Array(frame()[..<7]))
        #expect(source.all(for: 0.2).isEmpty)
        try pipe.send(Array(frame()[7...]))
        let contents = source.all(for: 0.3)
        #expect(contents.count == 1)
        let sample = try #require(contents.first?.sample)
        #expect((sample.vector - Vector3(17.321, 10, -45)).length < 0.1)
        try pipe.send(frame() + frame() + frame())
        #expect(source.all(for: 0.3).compactMap(\.sample).count == 3)
    }

    @Test("sets the device up for its buffer, and leaves it as it was")
    func setUp() throws {
        let pipe = try BufferPipe(
            tree, DriverAttributes.hmc5883l.merging(["scan_elements/in_temp_en": "1"]) { $1 })
        let source = try running(settings)
        _ = try source.next { $0.openedMagnetometer }
        let expected = [
            "scan_elements/in_magn_x_en": "1", "scan_elements/in_magn_y_en": "1",
            "scan_elements/in_magn_z_en": "1", "scan_elements/in_timestamp_en": "1",
            "scan_elements/in_temp_en": "0", "trigger/current_trigger": "hr1", "buffer/enable": "1",
            "current_timestamp_clock": "monotonic",
        ]
        for (name, value) in expected { #expect(tree.value(name, of: 0) == value, "\(name)") }
        #expect(tree.text("sys/bus/iio/devices/trigger0/sampling_frequency") == "50")
        source.stop()
        let before = [
            "scan_elements/in_magn_x_en": "0", "scan_elements/in_temp_en": "1", "buffer/enable": "0",
            "trigger/current_trigger": "", "current_timestamp_clock": "realtime",
        ]
        try waitUntil { before.allSatisfy { tree.value($0, of: 0) == $1 } }
        withExtendedLifetime(pipe) {}
    }

    @Test("a buffer that a dead program left running is set up anew")
    func orphan() throws {
        let pipe = try BufferPipe(tree, DriverAttributes.hmc5883l.merging(["buffer/enable": "1"]) { $1 })
        let source = try running(settings)
        #expect(try source.next { $0.openedMagnetometer }.mode == "buffer")
        try pipe.open()
        try pipe.send(frame())
        _ = try source.next { $0.sample }
    }

    @Test("stamps of capture are the moments of the readings")
    func stamps() throws {
        let pipe = try BufferPipe(tree, DriverAttributes.hmc5883l)
        let inbox = try Inbox()
        let line = try SourceLine(sink: inbox)
        let source = IIOSource(.magnetometer, plan: IIOPlan(settings))
        try Thread.start("source") { source.run(line) }
        defer { line.requestStop() }
        try pipe.open()
        let stamp = SystemClock.now() - .milliseconds(40)
        try pipe.send(frame(stamp: stamp))
        var batch: [Reading] = []
        var moment: Instant?
        try waitUntil {
            _ = inbox.takeAll(into: &batch)
            moment = batch.first { $0.content.sample != nil }?.at ?? moment
            return moment != nil
        }
        #expect(moment == stamp)
    }

    @Test("the end of the buffer's file: opened again, without spinning")
    func endOfFile() throws {
        let pipe = try BufferPipe(tree, DriverAttributes.hmc5883l)
        let source = try running(settings)
        _ = try source.next { $0.openedMagnetometer }
        try pipe.open()
        try pipe.send(frame())
        _ = try source.next { $0.sample }
        pipe.close()
        #expect(try source.next { $0.lossReason } == "its buffer was switched off")
        let contents = source.all(for: 2)
        #expect((1...2).contains(contents.compactMap(\.openedMagnetometer).count))
        try pipe.open()
        try pipe.send(frame())
        _ = try source.next { $0.sample }
    }

    @Test("a trigger that is dead: polled in automatic mode")
    func deadTrigger() throws {
        let pipe = try BufferPipe(tree, DriverAttributes.hmc5883l)
        let source = try running(settings)
        #expect(try source.next { $0.openedMagnetometer }.mode == "buffer")
        #expect(try source.next { $0.openedMagnetometer }.mode == "polled")
        _ = try source.next { $0.sample }
        #expect(tree.value("buffer/enable", of: 0) == "0")
        withExtendedLifetime(pipe) {}
    }

    @Test("a buffer that cannot be started: polled")
    mutating func refusedBuffer() throws {
        var attributes = DriverAttributes.hmc5883l
        attributes["buffer/enable"] = nil
        let pipe = try BufferPipe(tree, attributes)
        try tree.makeFolder("sys/devices/i2c-1/1-001e/iio:device0/buffer/enable")
        #expect(try running(settings).next { $0.openedMagnetometer }.mode == "polled")
        settings.magnetometer.sensor.mode = .buffer
        #expect(
            try running(settings).next { $0.lossReason }.hasPrefix("no buffered reading: ") == true)
        withExtendedLifetime(pipe) {}
    }

    @Test("a trigger that is asked for and not there: said, and polled")
    mutating func missingTrigger() throws {
        let pipe = try BufferPipe(tree, DriverAttributes.hmc5883l)
        settings.magnetometer.sensor.trigger = "hr9"
        #expect(try running(settings).next { $0.openedMagnetometer }.mode == "polled")
        settings.magnetometer.sensor.mode = .buffer
        #expect(
            try running(settings).next { $0.lossReason }
                == "no buffered reading: no trigger hr9, there are hr1")
        withExtendedLifetime(pipe) {}
    }

    // MARK: Means

    /// x z y, then the stamp, as hmc5843 gives them.
    private func frame(stamp: Instant = SystemClock.now()) -> [UInt8] {
        let time = (0..<8).map { UInt8(truncatingIfNeeded: stamp.nanoseconds >> (8 * $0)) }
        return [0x00, 0xbd, 0xfe, 0x15, 0x00, 0x6d, 0, 0] + time
    }

    /// The kernel answers reads of a device that is gone with an error; files that are removed stay readable to
    /// who holds them, so they are emptied first.
    private func vanish(_ number: Int) throws {
        for axis in ["x", "y", "z"] {
            try tree.write([], to: "sys/bus/iio/devices/iio:device\(number)/in_magn_\(axis)_raw")
        }
        tree.remove(number)
    }

    private func waitUntil(_ condition: () -> Bool) throws {
        for _ in 0..<500 {
            if condition() { return }
            usleep(10_000)
        }
        throw TimedOut()
    }
}

/// A pipe in the place of `/dev/iio:device0`, with a timer `hr1` for the device's trigger.
private final class BufferPipe {
    private let path: String
    private var descriptor: Int32 = -1

    init(_ tree: FakeIIOTree, _ attributes: [String: String]) throws {
        try tree.add(0, at: "i2c-1/1-001e", attributes)
        try tree.addTrigger(0, ["name": "hr1", "sampling_frequency": "100"])
        path = tree.node(0)
        guard mkfifo(path, 0o600) == 0 else { throw TimedOut() }
    }

    deinit { close() }

    /// Waits for the reader.
    func open() throws {
        for _ in 0..<500 {
            descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 { return }
            usleep(10_000)
        }
        throw TimedOut()
    }

    func send(_ bytes: [UInt8]) throws {
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw TimedOut() }
    }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}

extension Reading.Content {
    fileprivate var sample: SensorSample? {
        if case .sample(let sample) = self { return sample }
        return nil
    }
    fileprivate var compass: CompassHeading? {
        if case .compass(let heading) = self { return heading }
        return nil
    }
    fileprivate var openedMagnetometer: SensorDescription? {
        if case .opened(.magnetometer, let description) = self { return description }
        return nil
    }
    fileprivate var openedSource: Source? {
        if case .opened(let source, _) = self { return source }
        return nil
    }
    fileprivate var lossReason: String? {
        if case .lost(.magnetometer, let reason) = self { return reason }
        return nil
    }
    fileprivate var rejection: Rejection? {
        if case .refused(.magnetometer, let rejection) = self { return rejection }
        return nil
    }
}
