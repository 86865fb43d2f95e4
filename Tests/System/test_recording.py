"""record and replay: what comes out of a recording, and what a disk that is full does."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from support import BASE, BINARY, Agent, Broker, Subscriber, wait_until

CONFIG = """[agent]
id = test
state_dir = /nonexistent
log_level = warning
"""


def run(*arguments, **options):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=60, **options)


def may_mount():
    return os.geteuid() == 0 and subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0


class Recording(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="compass-recording-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.config = self.folder / "compass-mqtt.conf"
        self.config.write_text(CONFIG)
        self.file = self.folder / "recording"

    def record(self, seconds=3):
        result = run("record", self.file, "--simulate", "--seconds", seconds, "--config", self.config)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_replay_prints_the_same_bytes_each_time(self):
        self.record()
        first, second = (run("replay", self.file) for _ in range(2))
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(first.stdout, second.stdout)
        with open(self.file, "rb") as recording:
            self.assertEqual(run("replay", "-", stdin=recording).stdout, first.stdout)
        lines = dict(line.split(" ", 1) for line in first.stdout.decode().splitlines())
        self.assertEqual(lines["compass/test/magnetometer/status"], "online")
        self.assertEqual(lines["compass/test/gps/status"], "online")
        self.assertAlmostEqual(json.loads(lines["compass/test/position"])["latitude"], 50.3, 2)
        self.assertIn("value", json.loads(lines["compass/test/heading"]))
        # 20 + 50 + 50 readings a second, and those of the receiver and the clock.
        self.assertRegex(first.stderr.decode(), r"recording: 3\d\d readings, \d+ messages\n$")

    def test_other_settings_give_other_answers(self):
        self.record(seconds=2)
        other = self.folder / "other.conf"
        other.write_text("[publish]\nbase_topic = boat\n[heading]\nreference = magnetic\n[units]\nspeed = km/h\n")
        lines = dict(line.split(" ", 1) for line in run("replay", self.file, "--config", other).stdout.decode().splitlines())
        self.assertEqual(json.loads(lines["boat/heading"])["reference"], "magnetic")
        self.assertEqual(json.loads(lines["boat/speed"])["unit"], "km/h")

    def test_it_ends_at_a_signal_and_is_whole(self):
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            with subprocess.Popen([BINARY, "record", self.file, "--simulate", "--config", self.config],
                                  stderr=subprocess.DEVNULL) as process:
                wait_until(lambda: self.file.exists() and self.file.stat().st_size > 5000, 10, "something is recorded")
                process.send_signal(number)
                self.assertEqual(process.wait(5), 0)
            result = run("replay", self.file)
            self.assertNotIn(b"cut off", result.stderr)
            self.assertEqual(result.returncode, 0)
            self.file.unlink()

    def test_what_a_power_cut_or_a_bad_disk_leaves_is_replayed(self):
        self.record(seconds=1)
        whole = self.file.read_bytes()
        self.file.write_bytes(whole[:-7])
        result = run("replay", self.file)
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"the last line is cut off", result.stderr)
        lines = whole.split(b"\n")
        lines[-10] = b"\0" * 4096
        self.file.write_bytes(b"\n".join(lines))
        result = run("replay", self.file)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"line {len(lines) - 9}: does not begin with a time".encode(), result.stderr)
        self.assertIn(b"1 lines refused", result.stderr)

    def test_what_is_no_recording_is_refused(self):
        for content in b"", b"hello\n", os.urandom(3000), b"# compass-mqtt recording 99\n":
            self.file.write_bytes(content)
            result = run("replay", self.file)
            self.assertEqual((result.returncode, result.stdout), (1, b""))
            self.assertRegex(result.stderr, rb"^compass-mqtt: \S+: is (no|a) recording.*\n$")
        self.file.write_bytes(b"hello\n")
        self.assertEqual(run("record", self.file, "--simulate", "--seconds", 1).returncode, 1)
        self.assertEqual(self.file.read_bytes(), b"hello\n")
        self.assertEqual(run("replay", self.folder / "missing").returncode, 1)
        self.assertEqual(run("replay").returncode, 2)

    def test_a_replay_at_the_recorded_pace_takes_as_long_as_the_recording(self):
        self.record(seconds=2)
        for speed, least, most in ("1", 1.5, 4), ("4", 0.3, 2):
            start = time.monotonic()
            result = run("replay", self.file, "--speed", speed)
            taken = time.monotonic() - start
            self.assertEqual(result.stdout, run("replay", self.file).stdout)
            self.assertTrue(least < taken < most, f"{taken} s at speed {speed}")

    def test_a_replay_is_published_beside_the_agent_not_over_it(self):
        self.record(seconds=1)
        with Broker() as broker:
            # The standard port is not ours to take, so the broker is named, and with it the vessel's topic.
            config = self.folder / "publish.conf"
            config.write_text(f"{CONFIG}[publish]\nbase_topic = {BASE}\n[mqtt]\nport = {broker.port}\n")
            with Subscriber(broker) as vessel, Subscriber(broker, (f"{BASE}-replay/#",), f"{BASE}-replay") as subscriber:
                result = run("replay", self.file, "--publish", "--config", config)
                self.assertEqual(result.returncode, 0, result.stderr)
                subscriber.wait_for("status", lambda payload: payload == "online")
                subscriber.wait_for("heading/magnetic", lambda payload: "quality" in payload)
                subscriber.wait_for("status", lambda payload: payload == "offline")
                self.assertIn("compass-test-replay", broker.log)
                self.assertEqual(vessel.messages, [])
        result = run("replay", self.file, "--publish", "--speed", "0", "--config", config)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"the broker did not take the last message", result.stderr)


class RunningAgent(unittest.TestCase):
    def test_what_a_running_agent_records_is_replayed_with_its_topics(self):
        with Broker() as broker, Subscriber(broker) as subscriber, Agent(
                broker, {"gps": {"enabled": "yes"}}, ["run", "--simulate"]) as agent:
            agent.stop()
            file = agent.folder / "recording"
            agent.settings["agent"] |= {"record": file, "record_max_size": 1}
            agent.start()
            subscriber.forget()
            subscriber.wait_for("position")
            wait_until(lambda: file.exists() and b" fix " in file.read_bytes(), 10, "a fix is recorded")
            agent.stop()
            heard = [f"{BASE}/{message.topic} {message.payload.decode()}" for message in subscriber.of("position")]
            result = run("replay", file)
            self.assertEqual(result.returncode, 0, result.stderr)
            printed = result.stdout.decode().splitlines()
            self.assertTrue(any(line in printed for line in heard), (heard, printed))
            self.assertNotIn(str(broker.port), file.read_text().split("\n1")[0])

    def test_what_is_recorded_beside_a_running_agent_is_whole(self):
        with Broker() as broker, Subscriber(broker) as subscriber, Agent(
                broker, {"gps": {"enabled": "yes"}}, ["run", "--simulate"]) as agent:
            subscriber.wait_for("heading")
            file = agent.folder / "recording"
            config = agent.folder / "record.conf"
            config.write_text(f"[agent]\nstate_dir = {agent.state}\n")
            result = run("record", file, "--seconds", "4", "--config", config)
            self.assertEqual(result.returncode, 0, result.stderr)
            kinds = [line.split()[1] for line in file.read_text().splitlines() if line and not line.startswith("#")]
            # Once a second, as in the agent's own recording.
            self.assertGreaterEqual(kinds.count("clock"), 3)
            self.assertEqual({"opened", "mag", "acc", "gyr", "fix", "clock"} - set(kinds), set())

    @unittest.skipUnless(may_mount(), "needs to mount a file system")
    def test_a_full_disk_ends_the_recording_and_nothing_else(self):
        with contextlib.ExitStack() as stack:
            broker = stack.enter_context(Broker())
            subscriber = stack.enter_context(Subscriber(broker))
            agent = SmallDiskAgent(broker, {"gps": {"enabled": "yes"}}, ["run", "--simulate"])
            agent.settings["agent"] |= {"record": "/mnt/recording"}
            stack.enter_context(agent)
            wait_until(lambda: "No space left on device" in agent.log, 30, lambda: agent.log)
            subscriber.forget()
            subscriber.wait_for("heading/magnetic")
            time.sleep(2)
            self.assertEqual(agent.log.count("No space left"), 1)
            self.assertTrue(agent.is_running)


class SmallDiskAgent(Agent):
    """In a mount namespace of its own with 24 KiB on /mnt."""

    def launch(self, arguments, **options):
        script = 'mount -t tmpfs -o size=24k none /mnt && exec "$@"'
        super().launch(["unshare", "-m", "sh", "-c", script, "sh", *arguments], **options)


if __name__ == "__main__":
    unittest.main()
