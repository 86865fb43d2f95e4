"""Calibration with real processes: beside a running agent, by itself, from files."""
import json
import math
import random
import signal
import subprocess
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

    def test_wrong_usage(self):
        for arguments in (["--unit", "feet", "--from", "-"], ["--align", "400"], ["--level", "--swing"],
                          ["--seconds", "0"], ["--from", "-", "--place", "50"], ["--nonsense"]):
            self.assertEqual(calibrate(*arguments).returncode, 2, arguments)
        self.assertEqual(calibrate("--from", "/nonexistent.csv").returncode, 1)


if __name__ == "__main__":
    unittest.main()
