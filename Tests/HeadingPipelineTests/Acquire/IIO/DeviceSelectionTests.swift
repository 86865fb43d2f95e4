import HeadingPipeline
import TestSupport
import Testing

@Suite("Choice of devices")
struct DeviceSelectionTests {
    private let tree: FakeIIOTree
    private var settings = Settings()

    init() throws { tree = try FakeIIOTree() }

    private func selection(known: [Source: String] = [:]) -> DeviceSelection {
        DeviceSelection(from: IIORoot(tree.root).devices(), settings, known: known)
    }

    @Test("the only magnetometer")
    func only() throws {
        try tree.add(0, at: "i2c-1/1-001e", DriverAttributes.hmc5883l)
        let selection = selection()
        #expect(selection.magnetometer.device?.identity == "hmc5883l@1-001e")
        #expect(selection.magnetometer.reason == "the only magnetometer")
        #expect(selection.accelerometer.device == nil)
        #expect(selection.accelerometer.reason == "no device gives acceleration")
    }

    @Test(
        "the operator's choice",
        arguments: [
            (Settings.DeviceSelector.name("ak8975"), "ak8975@1-000c"), (.bus("1-001e"), "hmc5883l@1-001e"),
            (.index(4), "ak8975@1-000c"), (.label("mast"), "mmc35240@mast"),
        ])
    mutating func selectors(selector: Settings.DeviceSelector, identity: String) throws {
        try tree.add(0, at: "i2c-1/1-001e", DriverAttributes.hmc5883l)
        try tree.add(4, at: "i2c-1/1-000c", DriverAttributes.ak8975)
        try tree.add(2, at: "i2c-1/1-0030", DriverAttributes.mmc35240.merging(["label": "mast"]) { $1 })
        settings.magnetometer.sensor.device = selector
        #expect(selection().magnetometer.device?.identity == identity)
        #expect(selection().magnetometer.reason == "\(selector)")
    }

    @Test("a choice that is not there is told what is")
    mutating func notThere() throws {
        try tree.add(0, at: "i2c-1/1-001e", DriverAttributes.hmc5883l)
        settings.magnetometer.sensor.device = .name("rm3100")
        #expect(
            selection().magnetometer.reason
                == "name:rm3100: no such device, there is hmc5883l@1-001e (index:0)")
        settings.accelerometer.device = .name("hmc5883l")
        #expect(selection().accelerometer.reason == "name:hmc5883l: hmc5883l@1-001e gives no acceleration")
        settings.gyroscope.device = .none
        #expect(selection().gyroscope.reason == "switched off in the settings")
    }

    @Test("devices that change their numbers: the same is chosen")
    func renumbered() throws {
        try tree.add(0, at: "i2c-1/1-001e", DriverAttributes.hmc5883l)
        try tree.add(1, at: "i2c-1/1-000c", DriverAttributes.ak8975)
        let before = selection().magnetometer.device?.identity
        tree.remove(0)
        tree.remove(1)
        try tree.add(1, at: "i2c-1/1-001e", DriverAttributes.hmc5883l)
        try tree.add(0, at: "i2c-1/1-000c", DriverAttributes.ak8975)
        #expect(selection().magnetometer.device?.identity == before)
    }

    @Test("the accelerometer in the magnetometer's package goes before others")
    func nearest() throws {
        try tree.add(0, at: "i2c-0/0-0068", DriverAttributes.mpu6050)
        try tree.add(1, at: "i2c-1/1-0019", DriverAttributes.lsm303dlhcAccel)
        try tree.add(2, at: "i2c-1/1-001e", DriverAttributes.lsm303dlh)
        let selection = selection()
        #expect(selection.accelerometer.device?.name == "lsm303dlhc_accel")
        #expect(selection.accelerometer.reason == "on the same bus as the magnetometer")
        #expect(selection.gyroscope.device?.name == "mpu6050")
        #expect(selection.gyroscope.reason == "the only gyroscope")
    }

    @Test("one device for all three")
    func oneForAll() throws {
        let nine = DriverAttributes.mpu6050.merging([
            "name": "mpu9250", "in_magn_x_raw": "1", "in_magn_y_raw": "2", "in_magn_z_raw": "3",
            "in_magn_scale": "0.0015",
        ]) { $1 }
        try tree.add(0, at: "i2c-0/0-0068", DriverAttributes.mpu6050)
        try tree.add(1, at: "i2c-1/1-0069", nine)
        let selection = selection()
        #expect(selection.accelerometer.device?.identity == "mpu9250@1-0069")
        #expect(selection.accelerometer.reason == "on the same device as the magnetometer")
    }

    @Test("field and heading in one: the heading without an accelerometer, else the field")
    mutating func fieldOrHeading() throws {
        try tree.add(0, at: "uhid/0003:1209:0001.0001/HID-SENSOR-200083.1.auto", DriverAttributes.magn3d)
        #expect(selection().magnetometer.channel?.kind == .magneticHeading)
        #expect(
            selection().magnetometer.reason
                == "the only magnetometer; its own heading, as there is no accelerometer")
        // One that was there a moment ago counts.
        #expect(selection(known: [.accelerometer: "x@y"]).magnetometer.channel?.kind == .magneticField)
        try tree.add(1, at: "i2c-0/0-0068", DriverAttributes.mpu6050)
        #expect(selection().magnetometer.channel?.kind == .magneticField)
        settings.magnetometer.output = .heading
        #expect(selection().magnetometer.channel?.kind == .magneticHeading)
        settings.magnetometer.output = .field
        settings.accelerometer.device = .none
        #expect(selection().magnetometer.channel?.kind == .magneticField)
    }

    @Test("a device that gives only a heading serves for one")
    func onlyHeading() throws {
        try tree.add(
            0, at: "uhid/0003:1209:0001.0001/HID-SENSOR-200083.1.auto",
            ["name": "magn_3d", "in_rot_from_north_magnetic_tilt_comp_raw": "1", "in_rot_scale": "1"])
        try tree.add(1, at: "i2c-0/0-0068", DriverAttributes.mpu6050)
        #expect(selection().magnetometer.channel?.kind == .magneticHeading)
    }

    @Test("a HID device is found by its bus address with or without the instance")
    mutating func hidBus() throws {
        try tree.add(0, at: "uhid/0003:1209:0001.0007/HID-SENSOR-200083.1.auto", DriverAttributes.magn3d)
        for address in ["0003:1209:0001", "0003:1209:0001.0001"] {
            settings.magnetometer.sensor.device = .bus(address)
            #expect(selection().magnetometer.device != nil, "\(address)")
        }
    }

    @Test("nothing takes the place of a device that is away for a while")
    func away() throws {
        try tree.add(0, at: "i2c-1/1-000c", DriverAttributes.ak8975)
        let choice = selection(known: [.magnetometer: "hmc5883l@1-001e"]).magnetometer
        #expect(choice.device == nil)
        #expect(choice.reason == "hmc5883l@1-001e is away")
        // And a new one does not take the place of one that is here.
        try tree.add(1, at: "i2c-1/1-001e", DriverAttributes.hmc5883l)
        #expect(selection().magnetometer.device?.name == "ak8975")
        #expect(
            selection(known: [.magnetometer: "hmc5883l@1-001e"]).magnetometer.device?.name == "hmc5883l")
    }

    @Test("nothing there at all")
    func nothing() {
        #expect(
            selection().magnetometer.reason == "no device gives magnetic field or tilt-compensated heading")
    }
}
