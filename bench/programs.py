"""The three programs that do the same work, the fake sensors they read, and how each is told what to do."""
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent
sys.path.insert(0, str(PROJECT / "Tests/System"))

import support  # noqa: E402

BASE = "bench/agent"
# The topics that change with each sample, and the length of the agent's payload there.
FIELD_TOPICS = {"heading": 136, "heading/magnetic": 101, "heading/true": 95, "rate_of_turn": 84, "field": 162}
TILT_TOPICS = {"roll": 74, "pitch": 74}


class FakeSensors:
    """An IIO device in memory: a magnetometer at Plymouth (0.1 uT a count) and an accelerometer (0.001 m/s2 a count)."""

    FIELD = {"magn_x": (200, 40), "magn_y": (150, 40), "magn_z": (-442, 20)}
    FORCE = {"accel_x": (300, 100), "accel_y": (300, 100), "accel_z": (9750, 20)}

    def __init__(self, with_accelerometer):
        self.values = self.FIELD | (self.FORCE if with_accelerometer else {})
        self.topics = FIELD_TOPICS | (TILT_TOPICS if with_accelerometer else {})
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self._folder = tempfile.TemporaryDirectory(prefix="compass-bench-", dir=memory)
        self.root = pathlib.Path(self._folder.name)
        self.device = self.root / "sys/bus/iio/devices/iio:device0"
        self.device.mkdir(parents=True)
        (self.root / "dev").mkdir()
        (self.device / "name").write_text("bench\n")
        (self.device / "in_magn_scale").write_text("0.001\n")
        (self.device / "in_accel_scale").write_text("0.001\n")
        for axis, (middle, _) in self.values.items():
            self.path(axis).write_text(f"{middle}\n")
        self.feeder = None

    def path(self, axis):
        return self.device / f"in_{axis}_raw"

    @property
    def files(self):
        return [str(self.path(axis)) for axis in self.values]

    def feed(self, rate):
        """Changes all values, `rate` times a second, until `rest`."""
        axes = [f"{self.path(axis)}:{middle}:{spread}" for axis, (middle, spread) in self.values.items()]
        self.feeder = subprocess.Popen([str(compiled("feed")), str(rate), *axes])

    def rest(self):
        if self.feeder:
            self.feeder.kill()
            self.feeder.wait()
            self.feeder = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.rest()
        self._folder.cleanup()


def compiled(name, shared=False):
    """A C program of this folder, or a library to be loaded before others, compiled anew when its source has changed."""
    source, binary = HERE / f"{name}.c", PROJECT / ".build/bench" / name
    if not binary.exists() or binary.stat().st_mtime < source.stat().st_mtime:
        binary.parent.mkdir(parents=True, exist_ok=True)
        kind = ["-shared", "-fPIC"] if shared else []
        subprocess.run(["gcc", "-O2", "-Wall", *kind, "-o", str(binary), str(source), "-lmosquitto", "-lm"], check=True)
    return binary


@dataclasses.dataclass
class Work:
    """What a program is to do: samples and messages a second (0: as many as it can), over TLS or not."""

    input_rate: float
    output_rate: float
    samples: int | None = None
    tls_authority: str | None = None
    extra: dict = dataclasses.field(default_factory=dict)


class Program(support.Process):
    """One of the three, at work."""

    def __init__(self, sensors, port, work, wrapper=()):
        super().__init__("bench")
        self.sensors, self.port, self.work, self.wrapper = sensors, port, work, list(wrapper)

    def start(self):
        self.started = time.monotonic()
        self.launch([*self.wrapper, *self.command()])

    def cpu_seconds(self):
        """User and system time of the process so far, threads that have ended included (the kernel's CPU clock of a process)."""
        return time.clock_gettime(~self.pid << 3 | 2)

    def peak_kilobytes(self):
        for line in open(f"/proc/{self.pid}/status"):
            if line.startswith("VmHWM"):
                return int(line.split()[1])


class Minimal(Program):
    def command(self):
        work = self.work
        options = ["--port", self.port, "--in", work.input_rate, "--out", work.output_rate]
        if work.samples:
            options += ["--samples", work.samples]
        if work.tls_authority:
            options += ["--ca", work.tls_authority]
        return [*self.interpreter(), *map(str, options), "--files", *self.sensors.files,
                "--topics", *(f"{BASE}/{topic}={length}" for topic, length in self.sensors.topics.items())]


class CProgram(Minimal):
    title = "C"

    def interpreter(self):
        return [str(compiled("minimal"))]


class PythonProgram(Minimal):
    title = "Python"

    def interpreter(self):
        return ["/usr/bin/python3", str(HERE / "minimal.py")]


class AgentProgram(Program):
    title = "agent"
    FASTEST = 100000

    def command(self):
        work = self.work
        sensor = {"device": "index:0", "mode": "polled", "rate": work.input_rate or self.FASTEST}
        settings = {
            "agent": {"id": "bench", "state_dir": self.folder},
            "magnetometer": {**sensor, "iio_root": self.sensors.root},
            "accelerometer": sensor,
            "gyroscope": {"device": "none"},
            "gps": {"enabled": "no"},
            "heading": {"declination": "1.5", "smoothing": 0},
            "publish": {"base_topic": BASE, "rate": work.output_rate or self.FASTEST, "deadband": 0, "field_deadband": 0},
            "mqtt": {"port": self.port},
        }
        if work.tls_authority:
            settings["mqtt"] |= {"tls": "yes", "tls_ca": work.tls_authority}
        for section, keys in work.extra.items():
            settings[section] |= keys
        config = self.folder / "compass-mqtt.conf"
        config.write_text("".join(
            f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())
            for section, keys in settings.items()))
        return [support.BINARY, "run", "--config", str(config)]


def certificates(folder):
    """An authority that is also the broker's certificate, for 127.0.0.1, and the broker's lines that use it."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=bench", "-addext",
         "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True)
    os.chmod(folder / "key.pem", 0o644)
    lines = [f"listener {support.free_port()} 127.0.0.1", f"certfile {folder}/cert.pem", f"keyfile {folder}/key.pem"]
    return str(folder / "cert.pem"), lines
