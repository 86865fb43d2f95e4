"""The agent as a service that runs for years: what systemd hears, what it costs, and what it does while things are missing or hang."""
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from sensors import HMC5883L, MPU6050, Tree
from support import BINARY, Agent, Broker, Gpsd, Locales, Receiver, Subscriber, free_port, wait_until

# With a receiver, which the tests' settings switch off.
SIMULATED = {"gps": {"enabled": "yes"}}
SIMULATE = "run", "--simulate"
HARBOUR = pathlib.Path(__file__).resolve().parent / "Fixtures" / "harbour.nmea"


class NotifySocket:
    """What systemd would hear: [(monotonic time, line)]."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="compass-notify-")
        self.path = os.path.join(self._folder.name, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.lines = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while True:
            text = self.socket.recv(4096).decode()
            self.lines += [(time.monotonic(), line) for line in text.splitlines()]
            if not text:
                return

    def times(self, wanted):
        return [at for at, line in self.lines if line == wanted]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        # An empty datagram ends the thread.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.sendto(b"", self.path)
        self._folder.cleanup()


def cpu_seconds(agent):
    """What all threads of the process have used so far."""
    return sum(
        int((task / "schedstat").read_text().split()[0]) for task in pathlib.Path(f"/proc/{agent.pid}/task").iterdir()) / 1e9


def anonymous_kilobytes(agent):
    """Resident memory that is nobody's file."""
    status = pathlib.Path(f"/proc/{agent.pid}/status").read_text()
    return int(re.search(r"RssAnon:\s*(\d+)", status).group(1))


def cost(agent, seconds):
    """CPU seconds used in so many seconds."""
    before = cpu_seconds(agent)
    time.sleep(seconds)
    return cpu_seconds(agent) - before


class Service(unittest.TestCase):
    def setUp(self):
        self.notify = self.enterContext(NotifySocket())
        self.tree = self.enterContext(Tree())

    def agent(self, broker=None, watchdog=1.0, **settings):
        return Agent(
            broker, {"magnetometer": {"iio_root": str(self.tree.root), "stale_after": "1"}, **settings},
            environment={"NOTIFY_SOCKET": self.notify.path, "WATCHDOG_USEC": str(int(watchdog * 1e6))})

    def test_ready_within_2_seconds_with_nothing_there_and_each_is_taken_when_it_comes(self):
        broker = Broker()
        port = free_port()
        started = time.monotonic()
        with self.agent(broker, gps={"enabled": "yes", "port": str(port)}) as agent:
            wait_until(lambda: self.notify.times("READY=1"), 2, "ready")
            self.assertLess(self.notify.times("READY=1")[0] - started, 2)
            time.sleep(3.5)
            self.assertTrue(agent.is_running)
            self.assertGreaterEqual(len(self.notify.times("WATCHDOG=1")), 3)
            # Each was looked for after 1, 2, 4 s: the next time is soon.
            with broker, Subscriber(broker) as subscriber, Receiver(HARBOUR.read_bytes()) as receiver, \
                    Gpsd(receiver, port=port):
                self.tree.add(0, "soc/i2c-1/1-001e", HMC5883L)
                subscriber.wait_for("status", lambda status: status == "online", seconds=15)
                subscriber.wait_for("magnetometer/status", lambda status: status == "online", seconds=15)
                subscriber.wait_for("heading/magnetic", lambda heading: abs(heading["value"] - 30) < 1)
                subscriber.wait_for("gps/status", lambda status: status == "online", seconds=15)
                subscriber.wait_for("heading/true", lambda heading: heading)
                stopped = time.monotonic()
                self.assertEqual(agent.stop(3), 0)
                self.assertEqual(len(self.notify.times("STOPPING=1")), 1)
                self.assertLess(self.notify.times("STOPPING=1")[0] - stopped, 0.5)
                subscriber.wait_for("status", lambda status: status == "offline", seconds=1)

    def test_sensor_that_hangs_stops_nothing_but_the_watchdog_and_its_own_topics(self):
        self.tree.add(0, "soc/i2c-1/1-001e", HMC5883L)
        self.tree.add(1, "soc/i2c-1/1-0068", MPU6050)
        hung = self.tree.attribute(0, "in_magn_x_raw")
        hung.unlink()
        # Whoever opens it waits for a writer that never comes.
        os.mkfifo(hung)
        with Receiver(HARBOUR.read_bytes()) as receiver, Gpsd(receiver) as gpsd, Broker() as broker, \
                Subscriber(broker) as subscriber, \
                self.agent(broker, gps={"enabled": "yes", "port": str(gpsd.port)},
                           publish={"heartbeat": "2", "position_deadband": "0"}) as agent:
            started = time.monotonic()
            subscriber.wait_for("accelerometer/status", lambda status: status == "online")
            subscriber.wait_for("gps/status", lambda status: status == "online", seconds=20)
            subscriber.wait_for("roll")
            subscriber.forget()
            # A driver that waits for a chip that does not answer may take seconds for each attribute, so half a minute is allowed.
            self.assertTrue(self.notify.times("WATCHDOG=1"))
            wait_until(lambda: time.monotonic() - self.notify.times("WATCHDOG=1")[-1] > 5, 45, "the watchdog is not fed")
            self.assertGreater(self.notify.times("WATCHDOG=1")[-1] - started, 20)
            for topic in "position", "roll":
                times = [message.at for message in subscriber.of(topic)]
                pauses = [after - before for before, after in zip(times, times[1:])]
                self.assertLess(max(pauses), 3, topic)
                self.assertGreater(times[-1] - times[0], 20, topic)
            self.assertEqual(subscriber.of("heading/magnetic"), [])
            self.assertLess(len(agent.log.splitlines()), 20, agent.log)
            stopped = time.monotonic()
            agent.send(signal.SIGTERM)
            self.assertEqual(agent.process.wait(5), 0)
            self.assertLess(time.monotonic() - stopped, 3)
            subscriber.wait_for("status", lambda status: status == "offline", seconds=1)

    def test_service_manager_with_an_abstract_socket(self):
        # As in some containers: no file, and a name that begins with @.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            name = f"compass-notify-{os.getpid()}"
            manager.bind("\0" + name)
            manager.settimeout(2)
            with Agent(None, environment={"NOTIFY_SOCKET": "@" + name}):
                self.assertIn("READY=1", manager.recv(4096).decode().splitlines())

    def test_hangup_is_accepted(self):
        with Broker() as broker, Subscriber(broker) as subscriber, self.agent(broker) as agent:
            subscriber.wait_for("status", lambda status: status == "online")
            agent.send(signal.SIGHUP)
            wait_until(lambda: "SIGHUP" in agent.log, 2, lambda: agent.log)
            self.tree.add(0, "soc/i2c-1/1-001e", HMC5883L)
            subscriber.wait_for("magnetometer/status", lambda status: status == "online")
            self.assertNotIn("offline", [message.payload.decode() for message in subscriber.of("status")])


class Thrift(unittest.TestCase):
    def test_input_that_is_unplugged_costs_no_cpu(self):
        with Tree() as tree, Broker() as broker, Subscriber(broker) as subscriber, \
                Receiver(HARBOUR.read_bytes()) as receiver, Gpsd(receiver) as gpsd:
            tree.add(0, "soc/i2c-1/1-001e", HMC5883L)
            settings = {"magnetometer": {"iio_root": str(tree.root), "stale_after": "1"},
                        "gps": {"enabled": "yes", "port": str(gpsd.port), "stale_after": "1"}}
            with Agent(broker, settings) as agent:
                subscriber.wait_for("magnetometer/status", lambda status: status == "online")
                subscriber.wait_for("gps/status", lambda status: status == "online", seconds=20)
                plugged = cost(agent, 5)
                tree.remove(0)
                gpsd.kill()
                subscriber.wait_for("magnetometer/status", lambda status: status == "offline")
                subscriber.wait_for("gps/status", lambda status: status == "offline")
                unplugged = cost(agent, 5)
                self.assertLess(unplugged, 0.05, f"{plugged:.3f} s of 5 while plugged in")
                self.assertLess(unplugged, plugged)

    def test_healthy_it_says_little_and_writes_nothing(self):
        with Broker() as broker, Subscriber(broker) as subscriber, \
                Agent(broker, {**SIMULATED, "publish": {"rate": "20", "heartbeat": "1"}}, SIMULATE) as agent:
            subscriber.wait_for("heading")
            subscriber.wait_for("gps/status", lambda status: status == "online")
            time.sleep(2)
            said = len(agent.log.splitlines())
            self.assertLess(said, 20, agent.log)
            time.sleep(15)
            self.assertEqual(len(agent.log.splitlines()), said, agent.log)
            self.assertEqual(written_files(agent), [str(agent.folder / "log")])
            # A socket and files to lock, all empty, and what Home Assistant was told, written once.
            sizes = {file.name: file.stat().st_size for file in agent.state.iterdir()}
            self.assertLess(sizes.pop("home-assistant"), 2000)
            self.assertEqual(sizes, {"agent.lock": 0, "control.sock": 0, "sensors.lock": 0})

    def test_without_a_broker_nothing_piles_up_and_then_no_history_is_sent(self):
        broker = Broker()
        # As many samples in 12 s as in a quarter of an hour at 20 Hz.
        sensor = {"rate": "500"}
        settings = {**SIMULATED, "magnetometer": sensor, "accelerometer": sensor, "gyroscope": sensor, "publish": {"rate": "1"}}
        with Agent(broker, settings, SIMULATE) as agent:
            time.sleep(3)
            before = anonymous_kilobytes(agent)
            time.sleep(12)
            self.assertLess(anonymous_kilobytes(agent) - before, 256)
            with broker, Subscriber(broker) as subscriber:
                subscriber.wait_for("status", lambda status: status == "online", seconds=31)
                subscriber.wait_for("heading")
                time.sleep(0.8)
                for topic in {message.topic for message in subscriber.messages}:
                    self.assertLessEqual(len(subscriber.of(topic)), 2, topic)

    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_a_root_that_is_read_only_is_enough(self):
        with Broker() as broker, Subscriber(broker) as subscriber, ReadOnlyAgent(broker, SIMULATED, SIMULATE) as agent:
            subscriber.wait_for("heading/true", lambda heading: heading)
            self.assertFalse(any("read-only" in line.lower() for line in agent.log.splitlines()), agent.log)
            # Asked inside its own view of the files.
            touched = subprocess.run(
                ["nsenter", "-t", str(agent.pid), "-m", "touch", str(agent.folder / "state" / "x")], capture_output=True)
            self.assertNotEqual(touched.returncode, 0)


class ReadOnlyAgent(Agent):
    def launch(self, arguments, **options):
        script = 'mount --make-rprivate / && mount -o remount,bind,ro "$(stat -c %m .)" && mount -o remount,bind,ro / && exec "$@"'
        super().launch(["unshare", "--mount", "sh", "-c", script, "sh", *arguments], **options)


def written_files(process):
    """Regular files that it has open for writing."""
    files = set()
    for link in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
        flags = int(re.search(r"flags:\s*(\d+)", (link.parent.parent / "fdinfo" / link.name).read_text()).group(1), 8)
        if flags & os.O_ACCMODE != os.O_RDONLY and os.path.isfile(os.readlink(link)):
            files.add(os.readlink(link))
    return sorted(files)


class Language(unittest.TestCase):
    def test_locales_change_no_byte(self):
        with Tree() as tree, Locales() as locales:
            tree.add(0, "soc/i2c-1/1-001e", HMC5883L)
            tree.add(1, "soc/i2c-1/1-0068", MPU6050)
            plain, *others = [self.everything(tree, environment) for environment in [{"LC_ALL": "C"}, *locales.environments]]
            self.assertIn(b'"value":31.3,', plain["heading/magnetic"])
            self.assertIn(b'"value":-3.25', plain["declination"])
            self.assertIn("0.0917400", plain["devices"])
            for other in others:
                self.assertEqual(other, plain)

    def everything(self, tree, environment):
        """What the agent publishes of a boat at rest, without times, and what its commands print."""
        settings = {"magnetometer": {"iio_root": str(tree.root), "hard_iron": "0.5 -0.25 0.125"},
                    "heading": {"declination": "-3.25", "smoothing": "0"}}
        with Broker() as broker, Subscriber(broker) as subscriber, Agent(broker, settings, environment=environment) as agent:
            subscriber.wait_for("diagnostics", lambda told: isinstance(told, dict))
            time.sleep(2)
            told = {}
            for topic in "heading", "heading/magnetic", "heading/true", "roll", "pitch", "rate_of_turn", "declination", "field":
                subscriber.wait_for(topic)
                untimed = re.sub(rb'"time":"[^"]*"', b"", subscriber.of(topic)[-1].payload)
                # It is still settling; that it is written as a number must be the same.
                told[topic] = re.sub(rb'"accuracy":[0-9]+\.[0-9]+', b"accurate", untimed)
            config = str(agent.config)
            for name, command in [("devices", ["devices", "--config", config]), ("check", ["check", "--effective", config])]:
                printed = subprocess.run(
                    [BINARY, *command], capture_output=True, text=True, env={**os.environ, **environment}).stdout
                told[name] = printed.replace(str(agent.folder), "FOLDER").replace(str(broker.port), "PORT")
        return told


if __name__ == "__main__":
    unittest.main()
