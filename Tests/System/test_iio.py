"""The agent and the command `devices` on a tree of files that looks like the kernel's IIO."""
import json
import socket
import subprocess
import threading
import time
import unittest

from sensors import HMC5883L, MMC35240, MPU6050, Tree
from support import BINARY, Agent, Broker, Subscriber, free_port

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
            self.assertEqual(agent.log.count("polled: it has no buffer"), 1, agent.log)

    def test_mount_matrix_of_the_settings_wins_over_a_wrong_identity_and_says_so_once(self):
        self.tree.add(0, "soc/i2c-1/1-001e", HMC5883L)
        with self.agent(mount_matrix="0 1 0; -1 0 0; 0 0 1") as agent:
            # The driver's identity would make it 30.
            self.heading(300)
            self.subscriber.forget()
            self.tree.remove(0)
            self.status("offline")
            self.tree.add(0, "soc/i2c-1/1-001e", HMC5883L)
            self.status("online")
            sign = "magnetometer: mount_matrix of the settings takes the place of the driver's"
            self.assertEqual(agent.log.count(sign), 1, agent.log)

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
