"""Calibration with real processes: beside a running agent, by itself, from files."""
import json
import math
import random
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from sensors import HMC5883L, Tree
from support import BINARY, Agent, Broker, Subscriber, wait_until

# Microtesla in a count of the hmc5883l at its usual gain; 530 make the Earth's 48.6.
COUNT = 0.09174
HARD_IRON = (150.0, -80.0, 60.0)


def directions(count):
    """Evenly over the sphere (Fibonacci lattice), in an order that jumps about."""
    poses = []
    for index in range(count):
        z = 1 - (2 * index + 1) / count
        turn = index * math.pi * (3 - math.sqrt(5))
        poses.append((math.sqrt(1 - z * z) * math.cos(turn), math.sqrt(1 - z * z) * math.sin(turn), z))
    random.Random(1).shuffle(poses)
    return poses


class Hand(threading.Thread):
    """Turns the sensor of a tree from pose to pose."""

    def __init__(self, tree, pause=0.12, poses=None):
        super().__init__(daemon=True)
        self.tree, self.pause = tree, pause
        self.poses = poses or directions(400)
        self.enough = threading.Event()

    def run(self):
        while not self.enough.is_set():
            for pose in self.poses:
                if self.enough.is_set():
                    return
                for axis, part, iron in zip("xyz", pose, HARD_IRON):
                    counts = round(530 * part + iron)
                    # In place and as long as before: the agent keeps the file open, as a driver's attribute.
                    with open(self.tree.attribute(0, f"in_magn_{axis}_raw"), "r+b", buffering=0) as file:
                        file.write(f"{counts}\n".encode().ljust(8, b"\n"))
                time.sleep(self.pause)

    def __exit__(self, *_):
        self.enough.set()
        self.join()

    def __enter__(self):
        self.start()
        return self


def calibrate(*arguments, timeout=90):
    return subprocess.run(
        [BINARY, "calibrate", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=timeout)


class CalibrateTests(unittest.TestCase):
    def settings(self, tree):
        return {"magnetometer": {"iio_root": str(tree.root), "rate": "30", "mode": "polled"},
                "accelerometer": {"device": "none"}, "gyroscope": {"device": "none"}}

    def test_beside_a_running_agent(self):
        with Tree() as tree, Broker() as broker, Subscriber(broker) as subscriber:
            tree.add(0, "i2c-1/1-001e", HMC5883L)
            with Agent(broker, self.settings(tree)) as agent:
                subscriber.wait_for("heading/magnetic", lambda heading: heading["quality"] == "uncalibrated")
                with Hand(tree):
                    result = calibrate("--config", agent.config, "--seconds", 40)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn("the running agent's own samples", result.stdout)
                files = list((agent.folder / "state/calibration").glob("*.conf"))
                self.assertEqual(len(files), 1)
                self.assertIn("[magnetic]", files[0].read_text())
                iron = next(line for line in files[0].read_text().splitlines() if line.startswith("hard_iron"))
                found = [float(word) for word in iron.split("=")[1].split()]
                for value, counts in zip(found, HARD_IRON):
                    self.assertAlmostEqual(value, counts * COUNT, delta=6 * COUNT)
                subscriber.wait_for("heading/magnetic", lambda heading: heading["quality"] != "uncalibrated")
                # What is insufficient is neither saved nor does it take the place of the good one.
                before = files[0].read_text()
                result = calibrate("--config", agent.config, "--seconds", 3)
                self.assertEqual(result.returncode, 1)
                self.assertIn("nothing is saved", result.stdout)
                self.assertEqual(files[0].read_text(), before)
                result = calibrate("--config", agent.config, "--restore")
                self.assertEqual(result.returncode, 1, "there is nothing to go back to")
                # It outlives the agent.
                agent.stop()
                agent.start()
                subscriber.forget()
                subscriber.wait_for("heading/magnetic", lambda heading: heading["quality"] != "uncalibrated")

    def test_without_an_agent_it_reads_the_device_and_an_agent_waits(self):
        with Tree() as tree, Broker() as broker:
            tree.add(0, "i2c-1/1-001e", HMC5883L)
            agent = Agent(broker, self.settings(tree))
            (agent.folder / "state").mkdir()
            agent.write_config()
            process = subprocess.Popen(
                [BINARY, "calibrate", "--config", str(agent.config), "--seconds", "60"], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            try:
                self.assertIn("own devices", process.stdout.readline())
                with agent:
                    wait_until(lambda: "waiting until it has ended" in agent.log, 10, lambda: agent.log)
                    process.send_signal(signal.SIGINT)
                    output, _ = process.communicate(timeout=10)
                    self.assertEqual(process.returncode, 1)
                    self.assertIn("nothing is changed", output)
                    wait_until(lambda: "magnetometer: online" in agent.log, 10, lambda: agent.log)
            finally:
                if process.poll() is None:
                    process.kill()
                process.wait()
                process.stdout.close()

    def test_a_garbage_file_is_a_warning(self):
        with Tree() as tree, Broker() as broker, Subscriber(broker) as subscriber:
            tree.add(0, "i2c-1/1-001e", HMC5883L)
            agent = Agent(broker, self.settings(tree))
            folder = agent.folder / "state/calibration"
            folder.mkdir(parents=True)
            (folder / "hmc5883l@1-001e.conf").write_bytes(b"")
            with agent:
                subscriber.wait_for("heading/magnetic", lambda heading: heading["quality"] == "uncalibrated")
                heading = subscriber.payload("heading/magnetic")
                self.assertGreaterEqual(heading["accuracy"], 60)
                wait_until(lambda: "uncalibrated until it is done again" in agent.log, 5, lambda: agent.log)

    def test_from_a_file_and_from_standard_input(self):
        rows = "\n".join(f"{50 * x + 12},{50 * y - 3},{50 * z + 7}" for x, y, z in directions(300))
        for arguments, text in ((["--from", "-", "--json"], "x,y,z\n" + rows),
                                (["--from", "-", "--unit", "mG", "--json"], rows)):
            result = subprocess.run([BINARY, "calibrate", *arguments], input=text, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            fit = json.loads(result.stdout)
            factor = 0.1 if "mG" in arguments else 1
            self.assertEqual(fit["verdict"], "good")
            for value, wanted in zip(fit["hard_iron"], (12, -3, 7)):
                self.assertAlmostEqual(value, wanted * factor, places=3)
        half = "\n".join(f"{50 * x},{50 * y},{50 * abs(z)}" for x, y, z in directions(300))
        result = subprocess.run([BINARY, "calibrate", "--from", "-"], input=half, capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("Insufficient", result.stdout)

    def recorded(self, rows, *, place=True, sensor="hmc5883l@1-001e"):
        """A recording as docs/recording.md describes it, by hand."""
        lines = ["# compass-mqtt recording 1", "#settings| [agent]", "#settings| id = boat"]
        second = 10**9
        lines.append(f'{second} opened mag identity="{sensor}" name="x" mode="polled" rate=20')
        if place:
            # 2026-12-01, 50.3 N 4.2 W, in nanoseconds and radians.
            lines.append(f"{second} fix mode=3 time=1796083200000000000 lat=0.8779006138 lon=-0.0733038286")
        for index, (x, y, z) in enumerate(rows):
            lines.append(f"{second + index * 50_000_000} mag {x} {y} {z}")
            lines.append(f"{second + index * 50_000_000} acc 0 0 9.8")
        return "\n".join(lines) + "\n"

    def fit(self, text, *arguments):
        result = subprocess.run(
            [BINARY, "calibrate", "--from", "-", "--json", *arguments], input=text, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        return json.loads(result.stdout)

    def test_from_a_recording(self):
        rows = [(40 * x + 12, 40 * y - 3, 40 * z + 7) for x, y, z in directions(300)]
        fit = self.fit(self.recorded(rows))
        self.assertEqual((fit["verdict"], fit["shape"]), ("good", "ellipsoid"))
        for value, wanted in zip(fit["hard_iron"], (12, -3, 7)):
            self.assertAlmostEqual(value, wanted, places=2)
        # WMM2025 at that place and day: 48.62 uT, of which the sensor shows 40.
        self.assertAlmostEqual(fit["strength"], 48.62, delta=0.03)
        self.assertAlmostEqual(fit["scale"], 48.62 / 40, delta=0.002)
        for member in "soft_iron", "residual", "residual_heading", "coverage", "condition", "expected_dip", "dip":
            self.assertIsNotNone(fit[member], member)
        # Without a fix the scale stays, and --place gives it; what the operator says goes before a fix.
        fit = self.fit(self.recorded(rows, place=False))
        self.assertAlmostEqual(fit["strength"], 40, delta=0.01)
        self.assertIn("no fix", fit["notes"])
        for with_fix in True, False:
            fit = self.fit(self.recorded(rows, place=with_fix), "--place", "0,0", "--date", "2026-12-01")
            # The same model at 0 N 0 E: 31.6 uT.
            self.assertAlmostEqual(fit["strength"], 31.6, delta=0.3)

    def test_from_a_recording_of_a_level_turn(self):
        turn = [math.radians(degrees) for degrees in range(0, 720, 2)]
        rows = [(20 * math.cos(angle) + 9, 20 * math.sin(angle) - 4, -44 + 0.2 * math.sin(7 * angle)) for angle in turn]
        fit = self.fit(self.recorded(rows), "--turn")
        self.assertEqual((fit["verdict"], fit["shape"]), ("usable", "level_turn"))
        self.assertAlmostEqual(abs(fit["plane_normal"][2]), 1, places=3)
        self.assertAlmostEqual(fit["hard_iron"][0], 9, delta=0.1)
        self.assertAlmostEqual(fit["hard_iron"][1], -4, delta=0.1)

    def test_from_what_record_wrote(self):
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/recording"
            subprocess.run([BINARY, "record", file, "--simulate", "--seconds", "2"], check=True, capture_output=True)
            result = calibrate("--from", file)
            self.assertEqual(result.returncode, 1, "nobody has turned the sensor")
            self.assertRegex(result.stdout, r"verdict +Insufficient")
            self.assertIn("simulated-magnetometer", result.stdout)

    def test_from_a_damaged_recording_and_from_none(self):
        rows = [(50 * x, 50 * y, 50 * z) for x, y, z in directions(300)]
        lines = self.recorded(rows).split("\n")
        lines[100] = "12 mag x y z"
        self.assertIn("1 lines cannot be read", self.fit("\n".join(lines))["notes"])
        for text in "# compass-mqtt recording 99\n1 clock 2\n", "# compass-mqtt recording 1\n#settings| [agent]\n#settings| nonsense = 1\n":
            result = subprocess.run([BINARY, "calibrate", "--from", "-"], input=text, capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
        self.assertEqual(subprocess.run(
            [BINARY, "calibrate", "--from", "-", "--unit", "G"], input=self.recorded(rows), capture_output=True,
            text=True).returncode, 2)
        self.assertEqual(calibrate("--from", "/tmp").returncode, 1)

    def test_a_usable_one_stays_behind_a_good_one_that_still_fits(self):
        with tempfile.TemporaryDirectory() as folder:
            config = f"{folder}/compass-mqtt.conf"
            with open(config, "w") as file:
                file.write(f"[agent]\nstate_dir = {folder}\n")

            def qualities():
                text = open(f"{folder}/calibration/simulated-magnetometer.conf").read()
                return re.findall(r"(?m)^quality = (\w+)", text)
            self.assertEqual(calibrate("--simulate", "--config", config).returncode, 0)
            self.assertEqual(qualities(), ["good"])
            result = calibrate("--turn", "--simulate", "--config", config)
            self.assertEqual(result.returncode, 0)
            self.assertIn("stays in force", result.stdout)
            self.assertEqual(qualities(), ["good", "usable"])
            self.assertEqual(calibrate("--restore", "--simulate", "--config", config).returncode, 0)
            self.assertEqual(qualities(), ["usable", "good"])

    def test_wrong_usage(self):
        for arguments in (["--unit", "feet", "--from", "-"], ["--align", "400"], ["--level", "--swing"],
                          ["--seconds", "0"], ["--from", "-", "--place", "50"], ["--nonsense"]):
            self.assertEqual(calibrate(*arguments).returncode, 2, arguments)
        self.assertEqual(calibrate("--from", "/nonexistent.csv").returncode, 1)


if __name__ == "__main__":
    unittest.main()
