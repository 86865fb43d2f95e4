"""The agent and the command `devices` on a tree of files that looks like the kernel's IIO."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from support import BINARY, Agent, Broker, Subscriber, free_port

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


def run(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=20)


class Devices(unittest.TestCase):
    def setUp(self):
        self.tree = self.enterContext(Tree())
        self.config = self.tree.root / "compass-mqtt.conf"
        self.config.write_text("[gps]\nenabled = no\n")

    def devices(self, *arguments):
        return run("devices", "--config", str(self.config), "--root", str(self.tree.root), *arguments)

    def test_what_is_there_and_what_is_used_and_why(self):
        self.tree.add(3, "soc/i2c-1/1-001e", HMC5883L)
        self.tree.add(0, "soc/i2c-1/1-0068", MPU6050)
        result = self.devices()
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in [
                "iio:device3: hmc5883l (bus 1-001e)", "magnetic field: 0.0917400 µT a count, 15 Hz now",
                "note: hmc5883l: its driver's scale is 100 times too small for gauss; put right",
                "magnetometer: hmc5883l@1-001e, magnetic field (the only magnetometer)",
                "accelerometer: mpu6050@1-0068, acceleration (the only accelerometer)",
                "buffer: none, it is polled", "none (switched off in the settings)"]:
            self.assertIn(line, result.stdout)

    def test_json(self):
        self.tree.add(3, "soc/i2c-1/1-001e", HMC5883L)
        answer = json.loads(self.devices("--json").stdout)
        device = answer["devices"]["iio:device3"]
        self.assertEqual(device["identity"], "hmc5883l@1-001e")
        self.assertAlmostEqual(device["channels"]["in_magn"]["scale_x"], 0.09174, places=6)
        self.assertEqual(answer["used"]["magnetometer"]["identity"], "hmc5883l@1-001e")
        self.assertIsNone(answer["used"]["accelerometer"]["identity"])
        self.assertEqual(answer["used"]["accelerometer"]["reason"], "no device gives acceleration")

    def test_a_machine_without_sensors(self):
        result = self.devices()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("magnetometer: none (no device gives magnetic field or tilt-compensated heading)", result.stdout)

    def test_a_choice_that_is_not_there(self):
        self.tree.add(0, "soc/i2c-1/1-001e", HMC5883L)
        self.config.write_text("[gps]\nenabled = no\n[magnetometer]\ndevice = name:rm3100\n")
        self.assertIn(
            "name:rm3100: no such device, there is hmc5883l@1-001e (index:0)", self.devices().stdout)

    def test_receivers_of_gpsd(self):
        port = free_port()
        self.config.write_text(f"[gps]\nport = {port}\n")
        answer = b'{"class":"VERSION","release":"3.22"}\r\n{"class":"DEVICES","devices":[' \
                 b'{"class":"DEVICE","path":"/dev/ttyAMA0","activated":"2026-11-30T12:00:00.000Z"},' \
                 b'{"class":"DEVICE","path":"/dev/ttyUSB0"}]}\r\n'
        with socket.create_server(("127.0.0.1", port)) as server:
            def serve():
                peer, _ = server.accept()
                with peer:
                    peer.recv(100)
                    peer.sendall(answer[:60])
                    time.sleep(0.1)
                    peer.sendall(answer[60:])
                    peer.recv(100)
            thread = threading.Thread(target=serve)
            thread.start()
            result = self.devices()
            thread.join()
        self.assertIn("/dev/ttyAMA0\n", result.stdout)
        self.assertIn("/dev/ttyUSB0 (not active)", result.stdout)

    def test_wrong_usage(self):
        self.assertEqual(run("devices", "--wrong").returncode, 2)
        self.assertEqual(run("devices", "--config", "/nonexistent").returncode, 2)


class Sensors(unittest.TestCase):
    def setUp(self):
        self.tree = self.enterContext(Tree())
        self.broker = self.enterContext(Broker())
        self.subscriber = self.enterContext(Subscriber(self.broker))

    def agent(self, **magnetometer):
        settings = {"magnetometer": {"iio_root": str(self.tree.root), "stale_after": "1", **magnetometer},
                    "heading": {"smoothing": "0"}}
        return Agent(self.broker, settings)

    def heading(self, degrees, seconds=10):
        return self.subscriber.wait_for(
            "heading/magnetic",
            lambda payload: abs((payload["value"] - degrees + 180) % 360 - 180) < 1, seconds)

    def status(self, value, source="magnetometer", seconds=10):
        return self.subscriber.wait_for(f"{source}/status", lambda payload: payload == value, seconds)

    def test_a_heading_from_the_field(self):
        self.tree.add(0, "soc/i2c-1/1-001e", HMC5883L)
        with self.agent() as agent:
            self.status("online")
            self.heading(30)
            self.assertIn("hmc5883l@1-001e", agent.log)

    def test_readings_that_fail_and_come_again(self):
        self.tree.add(0, "soc/i2c-1/1-001e", HMC5883L)
        with self.agent() as agent:
            self.heading(30)
            self.subscriber.forget()
            raw = self.tree.attribute(0, "in_magn_y_raw")
            raw.write_text("")
            self.status("offline")
            self.subscriber.forget()
            raw.write_text("109\n")
            self.status("online", seconds=1)
            self.heading(30)
            lines = [line for line in agent.log.splitlines() if "magnetometer: o" in line]
            self.assertEqual(len(lines), 3, agent.log)

    def test_a_device_that_comes_late_goes_and_returns_under_another_number(self):
        with self.agent() as agent:
            self.status("offline")
            self.tree.add(0, "soc/i2c-1/1-001e", HMC5883L)
            self.heading(30)
            self.subscriber.forget()
            self.tree.remove(0)
            self.status("offline")
            # Another magnetometer does not take its place, though it is the only one now.
            self.tree.add(0, "soc/i2c-1/1-0030", MMC35240)
            time.sleep(2)
            self.assertEqual(self.subscriber.payload("magnetometer/status"), "offline")
            self.tree.add(1, "soc/i2c-1/1-001e", HMC5883L)
            self.status("online")
            self.heading(30)
            self.assertTrue(agent.is_running)

    def test_two_devices_that_change_their_numbers_between_starts(self):
        for numbers in [(0, 1), (1, 0)]:
            self.tree.add(numbers[0], "soc/i2c-1/1-001e", HMC5883L)
            self.tree.add(numbers[1], "soc/i2c-1/1-0030", MMC35240)
            with self.agent(device="name:hmc5883l"):
                self.heading(30)
            self.subscriber.forget()
            for number in numbers:
                self.tree.remove(number)


if __name__ == "__main__":
    unittest.main()
