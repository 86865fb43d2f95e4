"""What the kernel tests share: a guest with the agent's binary in it, one for each class of tests, and a broker for each test.

The guest is the vessel: `plug` gives it sensors, `sim` turns it, `sail` starts the agent. The broker and the subscriber are the
system tests' own, outside of the guest.
"""
import json
import math
import pathlib
import platform
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "System"))
from machine.machine import HOST, Machine                       # noqa: E402
from support import BASE, BINARY, Broker, Subscriber, wait_until    # noqa: E402, F401

AGENT = "/usr/bin/compass-mqtt"
CONFIG, LOG = "/tmp/compass-mqtt.conf", "/tmp/compass-mqtt.log"
TRIGGER = "steady"
TOLERANCE = 2.0         # degrees


def apart(a, b):
    """Degrees between two headings, the short way."""
    return abs((a - b + 180) % 360 - 180)


class KernelTestCase(unittest.TestCase):
    programs = (BINARY,)

    @classmethod
    def setUpClass(cls):
        if platform.machine() != "x86_64":
            raise unittest.SkipTest("the guest is an amd64 one, and so must be the agent")
        cls.machine = Machine(cls.programs)
        cls.addClassCleanup(cls.machine.close)
        cls.make_trigger()

    @classmethod
    def make_trigger(cls, hertz=50):
        cls.machine.run(f"iio-trig {TRIGGER} {hertz}")

    def setUp(self):
        self.plugged = {}
        self.agent = None
        self.faults_before = self.count_faults()
        self.broker = self.enterContext(Broker())
        self.subscriber = self.enterContext(Subscriber(self.broker))
        self.addCleanup(self._leave_harbour_as_found)
        self.sim("slew 0", "heading 0", "pitch 0", "roll 0", "offset 0 0 0", "noise 0", "field 0.2 0.45")

    def _leave_harbour_as_found(self):
        if self.agent:
            self.end_agent()
            if self.count_faults() > self.faults_before:
                newest = {message.topic: message.payload.decode() for message in self.subscriber.messages}
                print(f"--- {self.id()}: the agent's log and its topics\n{self.log()}", *newest.items(), sep="\n", flush=True)
        for chip in list(self.plugged):
            self.unplug(chip)

    def count_faults(self):
        """Of all tests so far: this one's too, as soon as it has failed."""
        result = self._outcome.result
        return len(result.failures) + len(result.errors)

    def plug(self, chip):
        """The first of the chip's IIO devices, as "iio:device0"."""
        self.plugged[chip] = self.machine.run(f"plug {chip}").split()[0]
        return self.plugged[chip]

    def unplug(self, chip):
        self.machine.run(f"unplug {chip}")
        del self.plugged[chip]

    def sim(self, *commands):
        self.machine.run(" && ".join(f"sim {command}" for command in commands))

    def register(self, chip_address, register, value):
        self.machine.run(f"i2cset -f -y $(cat /etc/bus) {chip_address:#x} {register:#x} {value:#x}")

    def sail(self, settings=None, user="root"):
        """Starts the agent; `settings` is {section: {key: value}}."""
        config = {
            "agent": {"id": "test", "state_dir": "/tmp/state"},
            "magnetometer": {}, "accelerometer": {}, "gyroscope": {},
            "gps": {"device": "none"},
            "heading": {"smoothing": "0.2"},
            "publish": {"base_topic": BASE, "rate": "10", "deadband": "0.1"},
            "mqtt": {"host": HOST, "port": self.broker.port},
        }
        for section, keys in (settings or {}).items():
            config.setdefault(section, {}).update(keys)
        lines = [f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items()) for section, keys in config.items()]
        self.machine.write(CONFIG, "\n".join(lines))
        self.machine.run(f"chmod 644 {CONFIG}; rm -rf {LOG} /tmp/state; mkdir -p /tmp/state; chown {user} /tmp/state")
        self.agent = self.machine.start(f"su -s /bin/sh {user} -c 'exec {AGENT} run --config {CONFIG}'", LOG)

    def end_agent(self):
        self.machine.run(f"kill -9 {self.agent}; while [ -d /proc/{self.agent} ]; do usleep 10000; done")
        self.agent = None

    def log(self):
        return self.machine.run(f"cat {LOG}")

    def read(self, topic, accept=lambda payload: True, seconds=15):
        return self.subscriber.wait_for(topic, accept, seconds)

    def wait_status(self, status, sensor="magnetometer", seconds=25):
        """Seconds until the newest status is this one."""
        began = time.monotonic()
        topic = f"{sensor}/status"
        wait_until(lambda: self.subscriber.payload(topic) == status, seconds,
                   lambda: f"{topic} is {status}: {self.subscriber.payload(topic)}\n{self.log()}")
        return time.monotonic() - began

    def check_heading(self, truth, seconds=10):
        """The heading comes within two degrees of the truth and stays there."""
        def strays():
            return [message for message in self.subscriber.of("heading/magnetic") if message.at > settled
                    and not is_near(message.payload, truth)]
        deadline = time.monotonic() + seconds
        while True:
            left = max(0.1, deadline - time.monotonic())
            wait_until(lambda: is_near(self.newest_heading(), truth), left, lambda: f"{truth} degrees: {self.newest_heading()}")
            settled = time.time()
            time.sleep(0.3)
            if not strays():
                return
            self.assertLess(time.monotonic(), deadline, f"{truth} degrees: {strays()[-1].payload}")

    def newest_heading(self):
        messages = self.subscriber.of("heading/magnetic")
        return messages[-1].payload if messages else b""

    def check_headings(self, *headings):
        for heading in headings or (0, 90, 200, 359):
            self.sim(f"heading {heading}")
            self.check_heading(heading)

    def truths(self):
        """The simulator's log: (time, heading, pitch, roll, degrees a second)."""
        return [tuple(map(float, line.split())) for line in self.machine.run("cat /run/sim.log").splitlines()]


def is_near(payload, truth):
    value = json.loads(payload)["value"] if payload else None
    return value is not None and apart(value, truth) <= TOLERANCE


def heading_at(truths, moment):
    """The heading at a moment of a steady turn; None outside of the log."""
    for earlier, later in zip(truths, truths[1:]):
        if earlier[0] <= moment <= later[0]:
            share = (moment - earlier[0]) / (later[0] - earlier[0])
            return (earlier[1] + share * ((later[1] - earlier[1] + 180) % 360 - 180)) % 360
    return None


def tilt_compensated(magnetic, force):
    """Heading in degrees from a field and a specific force at rest, both in forward, port, up axes: north and east are found
    with cross products alone, so that it shares no formula with the simulator's three rotations."""
    east = cross(magnetic, force)
    north = cross(force, east)
    return math.degrees(math.atan2(unit(east)[0], unit(north)[0])) % 360


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return tuple(x / length for x in v)
