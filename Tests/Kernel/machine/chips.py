"""The chips that the guest can plug: which kernel driver binds to them and how their registers show what is measured.

The guest's i2c-stub adapter holds plain register memory; a driver bound to it cannot tell it from a chip. What is written here
is what makes the driver accept it (identity, calibration and status registers) and where the simulator puts x, y and z.
Body axes of every chip: x forward, y to port, z up.

Not possible on i2c-stub: mma8452 (waits for a reset bit that clears itself), adxl345 and rm3100 (their type comes from firmware
match data only), kxcjk (reads words where i2c-stub filled bytes).
"""
from dataclasses import dataclass

MAGNETOMETER, ACCELEROMETER, GYROSCOPE = range(3)       # the simulator's quantities: gauss, g, degrees a second


@dataclass(frozen=True)
class Output:
    """Three data registers in a row."""
    quantity: int
    register: int
    counts: tuple               # of x, y, z for one unit of the quantity
    size: int = 2               # bytes an axis
    order: str = "xyz"
    endian: str = "be"
    shift: tuple = (0, 0, 0)
    bias: int = 0               # added: for chips that count from the middle
    mixed: bool = False         # the mmc35240's: its driver reports y = Y - Z and z = 1.35 (Y + Z)

    def line(self, address, mirrored):
        return "out %d %d %d %d %s %d %d %d %d %d %d %d %r %r %r" % (
            self.quantity, address, self.register, self.size, self.order, self.endian == "le", *self.shift,
            self.bias, mirrored, self.mixed, *map(float, self.counts))


@dataclass(frozen=True)
class Chip:
    name: str                   # as the driver's table of I2C names has it
    module: str
    address: int
    registers: dict             # first register: values
    outputs: tuple
    mirrored: bool = False      # also at register | 0x80, the auto-increment bit of ST's drivers

    def description(self):
        """As the simulator reads it."""
        lines = ["reg %d %d %d %s" % (self.address, self.mirrored, first, " ".join(map(str, values)))
                 for first, values in self.registers.items()]
        return "\n".join(lines + [output.line(self.address, self.mirrored) for output in self.outputs]) + "\n"


def magnetometer(name, module, address, registers, register, counts, mirrored=False, **layout):
    counts = counts if isinstance(counts, tuple) else (counts,) * 3
    return Chip(name, module, address, registers, (Output(MAGNETOMETER, register, counts, **layout),), mirrored)


def accelerometer(name, module, address, registers, register, counts, mirrored=False, **layout):
    return Chip(name, module, address, registers, (Output(ACCELEROMETER, register, (counts,) * 3, **layout),), mirrored)


HMC = {0x00: [0x10, 0x20], 0x09: [1, 0x48, 0x34, 0x33]}
AK8 = {0x00: [0x48, 0], 0x02: [1], 0x09: [0], 0x10: [0x80, 0x90, 0x70]}     # the fuse ROM differs an axis: so do the scales
ST12 = {"endian": "le", "shift": (4, 4, 4), "mirrored": True}

CHIPS = {chip.name: chip for chip in (
    magnetometer("hmc5843", "hmc5843_i2c", 0x1e, HMC, 0x03, 1300),
    magnetometer("hmc5883", "hmc5843_i2c", 0x1e, HMC, 0x03, 1090, order="xzy"),
    magnetometer("hmc5883l", "hmc5843_i2c", 0x1e, HMC, 0x03, 1090, order="xzy"),
    magnetometer("hmc5983", "hmc5843_i2c", 0x1e, HMC, 0x03, 1090, order="xzy"),
    magnetometer("ak8975", "ak8975", 0x0c, AK8, 0x03, (333.33, 313.73, 355.56), endian="le"),
    magnetometer("ak8963", "ak8975", 0x0c, AK8, 0x03, (666.67, 627.45, 711.11), endian="le"),
    magnetometer("ak09911", "ak8975", 0x0c, {0x00: [0x48, 0x05], 0x10: [1], 0x18: [0], 0x60: [0x80] * 3}, 0x11, 166.67, endian="le"),
    magnetometer("ak09916", "ak8975", 0x0c, {0x00: [0x48, 0x09], 0x10: [1], 0x18: [0], 0x60: [0x80] * 3}, 0x11, 666.67, endian="le"),
    magnetometer("mag3110", "mag3110", 0x0e, {0x00: [0xff], 0x07: [0xc4, 0], 0x0f: [25]}, 0x01, 1000),
    magnetometer("mmc35240", "mmc35240", 0x30, {0x06: [1], 0x20: [8], 0x1b: [0] * 6}, 0x00, 1024,
                 endian="le", bias=32768, mixed=True),
    magnetometer("bmc150_magn", "bmc150_magn_i2c", 0x10,
                 {0x40: [0x32], 0x48: [0x85, 0x69], 0x5d: [0, 0], 0x62: [0, 0, 0x1a, 0x1a],
                  0x68: [0xfb, 0x02, 0xab, 0x60, 0x61, 0x1a, 0, 0, 0xfd, 0x1d]},
                 0x42, (275, 275, 286), endian="le", shift=(3, 3, 1)),
    magnetometer("lsm303dlhc_magn", "st_magn_i2c", 0x1e, {0x00: [0x10, 0x20, 0], 0x09: [1]}, 0x03, (1100, 1100, 980), order="xzy"),
    # Its driver takes it for the one above: exchanges y and z, and has counts a gauss for its scale.
    magnetometer("lsm303dlh_magn", "st_magn_i2c", 0x1e, {0x00: [0x10, 0x20, 0], 0x09: [1]}, 0x03, (1055, 1055, 950)),
    magnetometer("lis3mdl", "st_magn_i2c", 0x1c, {0x0f: [0x3d], 0x27: [0x0f]}, 0x28, 6842, endian="le", mirrored=True),
    magnetometer("lis2mdl", "st_magn_i2c", 0x1e, {0x4f: [0x40], 0x67: [0x0f]}, 0x68, 666.67, endian="le"),
    magnetometer("lsm303agr_magn", "st_magn_i2c", 0x1e, {0x4f: [0x40], 0x67: [0x0f]}, 0x68, 666.67, endian="le"),
    magnetometer("lsm9ds1_magn", "st_magn_i2c", 0x1c, {0x0f: [0x3d], 0x27: [0x0f]}, 0x28, 6842, endian="le", mirrored=True),
    accelerometer("bmc150_accel", "bmc150_accel_i2c", 0x18, {0x00: [0xfa]}, 0x02, 512, endian="le", shift=(4, 4, 4)),
    accelerometer("lsm303dlhc_accel", "st_accel_i2c", 0x19, {0x0f: [0x33], 0x27: [0x0f]}, 0x28, 1000, **ST12),
    accelerometer("lis3dh", "st_accel_i2c", 0x18, {0x0f: [0x33], 0x27: [0x0f]}, 0x28, 1000, **ST12),
    Chip("mpu6050", "inv_mpu6050_i2c", 0x68, {0x75: [0x68]},
         (Output(ACCELEROMETER, 0x3b, (16384,) * 3), Output(GYROSCOPE, 0x43, (16.393,) * 3))),
    # Its magnetometer is an AK8963 behind the chip's own bus: first the driver finds the identity in the mailbox at 0x49, later
    # the field, in the AK8963's axes (x and y change places, z points down), which the driver's mount matrix puts right.
    Chip("mpu9250", "inv_mpu6050_i2c", 0x68, {0x75: [0x71], 0x36: [0], 0x49: [0x48, 0x80, 0x80, 0, 0, 0]},
         (Output(ACCELEROMETER, 0x3b, (16384,) * 3), Output(GYROSCOPE, 0x43, (16.393,) * 3),
          Output(MAGNETOMETER, 0x49, (853.33, 853.33, -853.33), order="yxz"))),
    Chip("lsm6ds3", "st_lsm6dsx_i2c", 0x6a, {0x0f: [0x69], 0x1e: [0x07]},
         (Output(ACCELEROMETER, 0x28, (16393,) * 3, endian="le"), Output(GYROSCOPE, 0x22, (114.285,) * 3, endian="le"))),
)}

# i2c-stub serves ten addresses at most. Chips that share one can be plugged one after the other.
ADDRESSES = (0x0c, 0x0e, 0x10, 0x18, 0x19, 0x1c, 0x1e, 0x30, 0x68, 0x6a)

# A HID sensor as USB compasses are, made in the guest through /dev/uhid; plugged by the name "hid".
HID_MODULES = ("uhid", "hid", "hid-generic", "hid-sensor-hub", "hid-sensor-magn-3d", "hid-sensor-accel-3d")
