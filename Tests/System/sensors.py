"""Sensors for the system tests: a tree of files that looks like the kernel's IIO, and what real drivers show there."""
import os
import pathlib
import shutil
import tempfile

# Transcribed from hmc5843 (hmc5883l), mmc35240 and mpu6050 under Linux 6.1. The hmc5883l lies in a field of 0.17321,
# 0.1, -0.45 gauss along its axes: parts up, x to the bow, that is a heading of 30 degrees.
HMC5883L = {
    "name": "hmc5883l", "in_magn_x_raw": "189", "in_magn_y_raw": "109", "in_magn_z_raw": "-491",
    "in_magn_scale": "0.000009174", "in_magn_sampling_frequency": "15.000000",
    "sampling_frequency_available": "0.750000 1.500000 3.0 7.500000 15.0 30.0 75.0",
    "in_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1",
}
MMC35240 = {
    "name": "mmc35240", "in_magn_x_raw": "100", "in_magn_y_raw": "0", "in_magn_z_raw": "-448",
    "in_magn_scale": "0.001000",
}
MPU6050 = {
    "name": "mpu6050", "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "16384",
    "in_accel_scale": "0.000598", "in_anglvel_x_raw": "0", "in_anglvel_y_raw": "0", "in_anglvel_z_raw": "0",
    "in_anglvel_scale": "0.001064724", "sampling_frequency": "50",
}


class Tree:
    """`sys/bus/iio/devices` with links to folders in `sys/devices`, as sysfs has them."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="compass-iio-")
        self.root = pathlib.Path(self._folder.name)
        self.root.chmod(0o755)
        self.bus = self.root / "sys/bus/iio/devices"
        self.bus.mkdir(parents=True)

    def add(self, number, place, attributes):
        device = self.root / "sys/devices" / place / f"iio:device{number}"
        device.mkdir(parents=True)
        for name, value in attributes.items():
            (device / name).write_text(value + "\n")
        (self.bus / f"iio:device{number}").symlink_to(os.path.relpath(device, self.bus))

    def attribute(self, number, name):
        return self.bus / f"iio:device{number}" / name

    def remove(self, number):
        """Readers of a device that is gone get errors; files that are removed stay readable, so they are emptied."""
        link = self.bus / f"iio:device{number}"
        for raw in link.glob("in_*_raw"):
            raw.write_text("")
        shutil.rmtree(link.resolve())
        link.unlink()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._folder.cleanup()
