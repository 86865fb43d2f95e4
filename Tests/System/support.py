"""What the system tests share: a private broker, the agent, a subscriber. Each is a context that ends what it started.

    with Broker() as broker, Subscriber(broker) as subscriber, Agent(broker, {"publish": {"rate": 10}}) as agent:
        subscriber.wait_for("heading", lambda payload: payload["value"] == 118.6)
"""
import collections
import contextlib
import itertools
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import threading
import time
import tty

import paho.mqtt.client as paho

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("COMPASS_MQTT", str(PROJECT / ".build/release/compass-mqtt"))
BASE = "compass/test"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, seconds, what):
    """The condition's first true value; an AssertionError that says what did not happen."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.01)


def accepts_connections(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Process:
    """A program with a folder of its own, whose output goes to a log that can be read while it runs."""

    def __init__(self, name):
        self.name = name
        self._folder = tempfile.TemporaryDirectory(prefix=f"compass-{name}-")
        self.folder = pathlib.Path(self._folder.name)
        self.folder.chmod(0o755)
        self.process = None

    def launch(self, arguments, **options):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, **options)

    @property
    def log(self):
        path = self.folder / "log"
        return path.read_text(errors="replace") if path.exists() else ""

    @property
    def pid(self):
        return self.process.pid

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def send(self, number):
        self.process.send_signal(number)

    def pause(self):
        self.send(signal.SIGSTOP)

    def resume(self):
        self.send(signal.SIGCONT)

    def kill(self):
        self.send(signal.SIGKILL)
        self.process.wait()

    def stop(self, seconds=10):
        """Ends it with SIGTERM; its exit status. One that takes longer is killed and fails the test."""
        if self.is_running:
            self.resume()
            self.send(signal.SIGTERM)
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
                raise AssertionError(f"{self.name} did not end within {seconds} s of SIGTERM\n{self.log}") from None
        return self.process.returncode if self.process else None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *error):
        if error[0]:
            print(f"--- log of {self.name}\n{self.log}", flush=True)
        try:
            self.stop()
        finally:
            self._folder.cleanup()


class Broker(Process):
    """A mosquitto on a loopback port of its own. `lines` are added to its config after the first listener."""

    def __init__(self, lines=(), port=None):
        super().__init__("broker")
        self.port = port or free_port()
        self.lines = list(lines)

    def start(self):
        anonymous = [] if any(line.startswith(("password_file", "allow_anonymous")) for line in self.lines) \
            else ["allow_anonymous true"]
        # As root mosquitto would become a user that may not read the tests' folders.
        user = ["user root"] if os.geteuid() == 0 else []
        config = [*user, f"listener {self.port} 127.0.0.1", "persistence false", "log_dest stderr", *anonymous, *self.lines]
        (self.folder / "mosquitto.conf").write_text("\n".join(config) + "\n")
        self.launch(["/usr/sbin/mosquitto", "-c", str(self.folder / "mosquitto.conf")])
        self.wait_until_it_listens()

    def wait_until_it_listens(self):
        wait_until(lambda: accepts_connections(self.port) or not self.is_running, 10, "the broker listens")
        if not self.is_running:
            raise AssertionError(f"mosquitto did not start\n{self.log}")

    def restart(self):
        """Starts again on the same port after `kill` or `stop`, with nothing of what it knew."""
        self.start()


class Link(contextlib.AbstractContextManager):
    """Stands between a client and a port of this machine: can be cut, and can hang."""

    def __init__(self, target_port):
        self.target_port = target_port
        self.port = free_port()
        self.pairs, self.connects = [], 0
        self.flows = threading.Event()
        self.listener = None
        self.mend()

    def mend(self):
        self.flows.set()
        if not self.listener:
            self.listener = socket.create_server(("127.0.0.1", self.port))
            threading.Thread(target=self.serve, args=(self.listener,), daemon=True).start()

    def cut(self):
        """Every connection ends, none is taken."""
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.listener = None
        for pair in self.pairs:
            self.end(*pair)

    def hang(self):
        """Nothing passes, and nobody is told."""
        self.flows.clear()

    def interrupt(self):
        """Ends the connection; returns when there is another."""
        before = self.connects
        self.cut()
        self.mend()
        wait_until(lambda: self.connects > before, 10, "connected again")

    def serve(self, listener):
        with contextlib.suppress(OSError):
            while True:
                near = listener.accept()[0]
                far = socket.create_connection(("127.0.0.1", self.target_port))
                self.pairs.append((near, far))
                self.connects += 1
                for source, target in (near, far), (far, near):
                    threading.Thread(target=self.pump, args=(source, target), daemon=True).start()

    def pump(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self.flows.wait()
                target.sendall(data)
        self.end(source, target)

    def end(self, *sockets):
        for one in sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def __exit__(self, *error):
        self.flows.set()
        if self.listener:
            self.cut()


class Agent(Process):
    """The agent with a config of its own: `settings` is {section: {key: value}}, over defaults that keep it away from
    everything of this machine but the broker."""

    def __init__(self, broker=None, settings=None, arguments=("run",), environment=None):
        super().__init__("agent")
        self.arguments = list(arguments)
        self.environment = environment or {}
        self.settings = {
            "agent": {"id": "test", "state_dir": str(self.folder / "state")},
            "magnetometer": {"iio_root": str(self.folder / "iio")},
            "gps": {"enabled": "no"},
            "publish": {"base_topic": BASE},
            "mqtt": {"port": str(broker.port if broker else free_port())},
        }
        for section, keys in (settings or {}).items():
            self.settings.setdefault(section, {}).update(keys)

    @property
    def state(self):
        """Where it keeps its things."""
        return self.folder / ("state/simulated" if "--simulate" in self.arguments else "state")

    @property
    def config(self):
        return self.folder / "compass-mqtt.conf"

    def write_config(self):
        lines = []
        for section, keys in self.settings.items():
            lines += [f"[{section}]", *(f"{key} = {value}" for key, value in keys.items() if value is not None), ""]
        self.config.write_text("\n".join(lines))

    def start(self):
        (self.folder / "state").mkdir(exist_ok=True)
        (self.folder / "iio").mkdir(exist_ok=True)
        self.write_config()
        self.launch([BINARY, *self.arguments, "--config", str(self.config)], env={**os.environ, **self.environment})


class Locales:
    """Locales that write numbers otherwise: German with a comma, Persian with digits of its own. `environments` has for each
    what makes it the one in force."""

    NAMES = "de_DE", "fa_IR"

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="compass-locales-")
        self.environments = [
            {"LOCPATH": self._folder.name, "LC_ALL": f"{name}.UTF-8", "LANG": f"{name}.UTF-8"} for name in self.NAMES]

    def __enter__(self):
        for name in self.NAMES:
            made = pathlib.Path(self._folder.name) / f"{name}.UTF-8"
            # Its status is not 0 when it has warned.
            subprocess.run(["localedef", "-i", name, "-f", "UTF-8", str(made)], capture_output=True)
            if not (made / "LC_NUMERIC").exists():
                raise AssertionError(f"localedef did not make {name}: is the package locales there?")
        return self

    def __exit__(self, *error):
        self._folder.cleanup()


Message = collections.namedtuple("Message", "topic payload retained at")


class Subscriber:
    """Hears everything under the base topic (or `topics`). Topics are named without the base. `login` is (name, password)."""

    def __init__(self, broker, topics=(BASE + "/#",), base=BASE, login=None):
        self.broker = broker
        self.base = base + "/" if base else ""
        self.topics = topics
        self.messages = []
        self._arrived = threading.Condition()
        self._subscribed = threading.Event()
        version = [paho.CallbackAPIVersion.VERSION1] if hasattr(paho, "CallbackAPIVersion") else []
        self.client = paho.Client(*version)
        if login:
            self.client.username_pw_set(*login)
        self.client.reconnect_delay_set(0.1, 0.5)
        self.client.on_connect = lambda client, *_: client.subscribe([(topic, 0) for topic in topics])
        self.client.on_subscribe = lambda *_: self._subscribed.set()
        self.client.on_message = self._on_message

    def _on_message(self, client, context, message):
        at = time.time()
        topic = message.topic[len(self.base):] if message.topic.startswith(self.base) else message.topic
        with self._arrived:
            self.messages.append(Message(topic, message.payload, bool(message.retain), at))
            self._arrived.notify_all()

    def of(self, topic):
        """Every message on a topic so far."""
        with self._arrived:
            return [message for message in self.messages if message.topic == topic]

    def payload(self, topic):
        """The newest payload of a topic: parsed where it is JSON, else as text; None where there is none."""
        messages = self.of(topic)
        return decode(messages[-1].payload) if messages else None

    def forget(self):
        with self._arrived:
            self.messages.clear()

    def wait_for(self, topic, accept=lambda payload: payload, seconds=10):
        """The first payload of a topic, of those that arrived or arrive in time, that is accepted; any but an empty one
        (what was retained is gone) unless told otherwise."""
        seen, deadline = 0, time.monotonic() + seconds
        with self._arrived:
            while True:
                for message in self.messages[seen:]:
                    # What stands on other topics may be no text at all.
                    if message.topic == topic and accept(payload := decode(message.payload)):
                        return payload
                seen = len(self.messages)
                left = deadline - time.monotonic()
                if left <= 0 or not self._arrived.wait(left):
                    last = [message.payload for message in self.messages if message.topic == topic][-3:]
                    raise AssertionError(f"nothing accepted on {topic} within {seconds} s; the last there: {last}")
                seen = min(seen, len(self.messages))

    def __enter__(self):
        self.client.connect("127.0.0.1", self.broker.port)
        self.client.loop_start()
        if not self._subscribed.wait(10):
            raise AssertionError("the subscriber could not subscribe")
        return self

    def __exit__(self, *error):
        self.client.disconnect()
        self.client.loop_stop()


def decode(payload):
    text = payload.decode()
    try:
        return json.loads(text) if text[:1] in "{[" else text
    except ValueError:
        return text


class Receiver:
    """A serial receiver that sends a recording over and over: the far end of a pseudo-terminal. `unit` cuts the recording
    into what is sent at a time, `pause` is the seconds after each."""

    def __init__(self, recording, pause=0.03, unit=lambda recording: recording.splitlines(keepends=True)):
        self.units = unit(recording)
        self.pause = pause
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.path = os.ttyname(self.slave)
        # gpsd gives up root before it opens the device a second time.
        os.chmod(self.path, 0o666)
        os.set_blocking(self.master, False)
        self.is_silent = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True)

    def _send(self):
        for unit in itertools.cycle(self.units):
            with contextlib.suppress(OSError):  # Where nobody listens.
                if not self.is_silent:
                    os.write(self.master, unit)
            if self._ended.wait(self.pause):
                return

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._ended.set()
        self._thread.join()
        os.close(self.slave)
        os.close(self.master)


class Gpsd(Process):
    """A real gpsd on a loopback port of its own, reading from `receivers`."""

    def __init__(self, *receivers, port=None):
        super().__init__("gpsd")
        self.port = port or free_port()
        self.paths = [receiver.path for receiver in receivers]

    def start(self):
        # -N in the foreground, -n reads before there is a client, -b never writes to the receiver.
        # Without a receiver it wants a way to be given one.
        control = [] if self.paths else ["-F", str(self.folder / "control")]
        self.launch(["/usr/sbin/gpsd", "-N", "-n", "-b", "-S", str(self.port), *control, *self.paths])
        wait_until(lambda: accepts_connections(self.port) or not self.is_running, 10, "gpsd listens")
        if not self.is_running:
            raise AssertionError(f"gpsd did not start\n{self.log}")


class Gpsfake(Process):
    """gpsd's own replayer with a gpsd of its own on a loopback port: `recording`, a file, over and over, a sentence each `cycle` s."""

    def __init__(self, recording, cycle=0.02):
        super().__init__("gpsfake")
        self.recording = recording
        self.cycle = cycle
        self.port = free_port()

    def start(self):
        # Fetched by tools/fetch-gpsfake. Without -n it would wait for a client to send a WATCH.
        script = PROJECT / ".build/gpsfake/gpsfake"
        self.launch(["/usr/bin/python3", str(script), "-n", "-q", "-c", str(self.cycle), "-P", str(self.port), str(self.recording)])
        wait_until(lambda: accepts_connections(self.port) or not self.is_running, 20, "gpsfake's gpsd listens")
        if not self.is_running:
            raise AssertionError(f"gpsfake did not start\n{self.log}")
