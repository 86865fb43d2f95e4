"""What the dashboard's tests share besides Tests/System/support.py: the dashboard, and a vessel whose topics a test writes."""
import http.client
import json
import os
import pathlib
import sys
import time
from datetime import datetime, timedelta, timezone

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "System"))

import paho.mqtt.client as paho  # noqa: E402

from support import BINARY, Process, accepts_connections, free_port, wait_until  # noqa: E402


class Dashboard(Process):
    """`compass-mqtt dashboard` with settings of its own: {key: value} of [dashboard]."""

    def __init__(self, broker_port, arguments=(), **settings):
        super().__init__("dashboard")
        self.broker_port = broker_port
        self.port = free_port()
        self.settings = {"port": self.port, **settings}
        self.arguments = arguments

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def start(self):
        lines = ["[agent]", "id = test", "log_level = debug", "[mqtt]", f"port = {self.broker_port}", "[dashboard]"]
        lines += [f"{key} = {value}" for key, value in self.settings.items()]
        (self.folder / "compass-mqtt.conf").write_text("\n".join(lines) + "\n")
        self.launch([BINARY, "dashboard", "--config", str(self.folder / "compass-mqtt.conf"), *self.arguments])
        wait_until(lambda: accepts_connections(self.port) or not self.is_running, 10, "the dashboard listens")
        if not self.is_running:
            raise AssertionError(f"the dashboard did not start\n{self.log}")

    def request(self, method="GET", path="/", body=None, sender=None, **headers):
        """(status, headers, body). Header names with _ for -; Host is right unless given. `sender`: the address to ask from."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10, source_address=sender and (sender, 0))
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.putrequest(method, path, skip_host="Host" in headers)
        if body is not None:
            headers["Content-Length"] = str(len(body))
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders(body.encode() if body is not None else None)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read() if path != "/events" or answer.status != 200 else b""

    def events(self, vessel=None, **headers):
        return EventStream(self, vessel, **headers)


class EventStream:
    """Reads the stream as a browser does: [(event, data)]."""

    def __init__(self, dashboard, vessel=None, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", dashboard.port, timeout=10)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request("GET", "/events" + (f"?vessel={vessel}" if vessel else ""), headers=headers)
        self.answer = self.connection.getresponse()

    def __iter__(self):
        event = "message"
        for line in self.answer:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "event":
                event = value
            elif name == "data":
                yield event, json.loads(value)
                event = "message"

    def wait_for(self, accept, seconds=10):
        deadline = time.monotonic() + seconds
        for event, data in self:
            if accept(event, data):
                return data
            if time.monotonic() > deadline:
                break
        raise AssertionError("the stream did not bring it")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.connection.close()


class Vessel:
    """Publishes retained topics as an agent would, at the test's word; hears the commands that come."""

    def __init__(self, broker, base="compass/wanderer", commands=True):
        self.base = base
        self.commands = []
        version = [paho.CallbackAPIVersion.VERSION1] if hasattr(paho, "CallbackAPIVersion") else []
        self.client = paho.Client(*version)
        self.client.on_message = lambda *_: self.commands.append((_[2].topic[len(base) + 1:], _[2].payload.decode()))
        self.takes_commands = commands
        self.broker = broker

    def __enter__(self):
        self.client.connect("127.0.0.1", self.broker.port)
        self.client.loop_start()
        self.client.subscribe(self.base + "/+/set", 1)
        for topic in ("status", "magnetometer/status", "accelerometer/status", "gps/status"):
            self.say(topic, "online")
        if self.takes_commands:
            self.say("diagnostics", {"commands": {"accepted": 0, "refused": 0}})
        return self

    def __exit__(self, *error):
        self.client.disconnect()
        self.client.loop_stop()

    def say(self, topic, payload, retain=True):
        """A dict becomes JSON with the time of now; None takes the topic away."""
        if isinstance(payload, dict):
            payload = json.dumps({"time": rfc3339(), **payload}, ensure_ascii=False)
        self.client.publish(f"{self.base}/{topic}", payload if payload is not None else b"", 1, retain).wait_for_publish(5)

    def head(self, value, reference="true", declination=0.0, accuracy=4.0, quality="good"):
        """Heading, all three topics."""
        true = value if reference == "true" else (value + declination) % 360
        magnetic = (true - declination) % 360
        common = {"unit": "°", "accuracy": accuracy}
        self.say("heading/magnetic", {"value": magnetic, **common, "quality": quality})
        self.say("heading/true", {"value": true, **common, "declination": declination})
        self.say("heading", {"value": value, **common, "reference": reference, "quality": quality})

    def under_way(self):
        """A whole set of values, for looks."""
        self.head(47.0, accuracy=6.0, declination=-1.2)
        self.say("speed", {"value": 6.4, "unit": "kn", "accuracy": 0.2, "source": "receiver"})
        self.say("course", {"value": 52.3, "unit": "°", "accuracy": 1.9})
        self.say("rate_of_turn", {"value": -24.0, "unit": "°/min", "accuracy": 9})
        self.say("roll", {"value": 12.4, "unit": "°", "accuracy": 1.7})
        self.say("pitch", {"value": 2.6, "unit": "°", "accuracy": 1.7})
        self.say("position", {"latitude": 50.3002549, "longitude": -4.2002879, "gps_accuracy": 3.7, "fix": "3d", "satellites": 9})
        self.say("destination", {
            "name": "Fowey", "latitude": 50.3275, "longitude": -4.6357, "bearing": 81.0, "bearing_magnetic": 82.2,
            "distance": 16.79, "distance_unit": "nmi", "velocity_made_good": 5.1, "speed_unit": "kn", "time_to_go": 11844,
            "arrived": False})
        self.say("steer", {"value": 65.0, "unit": "°", "reference": "true", "error": 18.0, "error_course": 12.7})
        self.say("trip", {"value": 23.4, "unit": "nmi", "max_speed": 8.9, "speed_unit": "kn", "since": rfc3339(-4 * 3600)})
        self.say("declination", {"value": -1.2, "unit": "°", "accuracy": 0.4, "source": "WMM2025"})
        self.say("field", {"value": 48.2, "unit": "µT", "interference": False})

    def wait_for_command(self, topic, payload, seconds=5):
        wait_until(lambda: (topic, payload) in self.commands, seconds, lambda: f"{topic} {payload}; came: {self.commands}")


def rfc3339(seconds_from_now=0):
    moment = datetime.now(timezone.utc) + timedelta(seconds=seconds_from_now)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
