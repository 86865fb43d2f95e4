"""Whether the guest's chips show what they should: headings worked out here, from what the drivers give, with another formula."""
from machine.chips import ACCELEROMETER, CHIPS, MAGNETOMETER
from vessel import TOLERANCE, KernelTestCase, apart, tilt_compensated

ATTITUDES = ((137, 20, 0), (260, -15, 25))     # heading, pitch, roll

# ST's drivers switch the chip on for each reading and wait two of its intervals.
FASTEST = "for hertz in 1600 220 80 100 75; do echo $hertz > %s/sampling_frequency && break; done 2>/dev/null; true"


class SimulatorTests(KernelTestCase):
    programs = ()

    def attributes(self, device, kind):
        """{name: text} of everything the driver tells about a quantity."""
        lines = self.machine.run(f'cd /sys/bus/iio/devices/{device}; for file in in_{kind}_*; do echo "$file $(cat $file)"; done')
        return dict(line.split(" ", 1) for line in lines.splitlines())

    def measured(self, device, kind):
        """What the driver gives, scaled, with its mount matrix applied."""
        found = self.attributes(device, kind)
        shared = found.get(f"in_{kind}_scale")
        values = [float(found[f"in_{kind}_{axis}_raw"]) * float(found.get(f"in_{kind}_{axis}_scale", shared)) for axis in "xyz"]
        matrix = found.get(f"in_{kind}_mount_matrix", "1, 0, 0; 0, 1, 0; 0, 0, 1")
        rows = [[float(number) for number in row.split(",")] for row in matrix.split(";")]
        return [sum(a * b for a, b in zip(row, values)) for row in rows]

    def check(self, chip):
        device = self.plug(chip)
        reference = device if ACCELEROMETER in quantities(chip) else self.plug("lis3dh")
        for each in {device, reference}:
            self.machine.run(FASTEST % f"/sys/bus/iio/devices/{each}")
        for heading, pitch, roll in ATTITUDES:
            self.sim(f"heading {heading}", f"pitch {pitch}", f"roll {roll}")
            found = tilt_compensated(self.measured(device, "magn"), self.measured(reference, "accel"))
            self.assertLess(apart(found, heading), TOLERANCE / 2, f"{chip} at {heading}, pitch {pitch}, roll {roll}: {found}")


def quantities(chip):
    return {output.quantity for output in CHIPS[chip].outputs}


def add_test(chip):
    setattr(SimulatorTests, f"test_{chip}", lambda self: self.check(chip))


for name in CHIPS.keys() - {"lsm303dlh_magn"}:      # what its driver gives is wrong
    if MAGNETOMETER in quantities(name):
        add_test(name)
