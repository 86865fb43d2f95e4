"""The real Home Assistant beside a broker, and what a person would see and do there."""
import json
import os
import pathlib
import subprocess
import tempfile
import urllib.request

from support import free_port, wait_until

HATEST = pathlib.Path(__file__).resolve().parent / "hatest"


class HomeAssistant:
    """Starts it on the broker's port; ends it with the context."""

    def __init__(self, broker, dashboard=None):
        self.broker = broker
        self.port = free_port()
        self._folder = tempfile.TemporaryDirectory(prefix="compass-home-assistant-")
        self.folder = pathlib.Path(self._folder.name)
        self.environment = {**os.environ, "HA_RUN": str(self.folder)}
        if dashboard:
            self.environment["HA_DASHBOARD"] = str(dashboard)

    def hatest(self, *arguments):
        """Its standard output."""
        # Not through pipes: what it starts in the background would keep them open.
        with open(self.folder / "hatest.out", "w+") as out, open(self.folder / "hatest.err", "w+") as errors:
            status = subprocess.run([HATEST, *map(str, arguments)], env=self.environment, stdin=subprocess.DEVNULL,
                                    stdout=out, stderr=errors).returncode
            out.seek(0)
            errors.seek(0)
            if status:
                raise AssertionError(f"hatest {arguments[0]}: {status}\n{errors.read()}")
            return out.read()

    def __enter__(self):
        self.hatest("up", self.broker.port, self.port)
        self.token = (self.folder / "token").read_text().strip()
        return self

    def __exit__(self, *error):
        if error[0]:
            print(f"--- log of Home Assistant\n{self.found()['log']}", flush=True)
        self.hatest("down")
        self._folder.cleanup()

    def restart(self):
        self.hatest("again")

    def found(self):
        """Devices, entities, statistics, log."""
        return json.loads(self.hatest("dump"))

    def states(self):
        """{entity: state} of everything there is."""
        return {state["entity_id"]: state["state"] for state in self._request("/api/states")}

    def state(self, entity):
        return self.states().get(entity)

    def call(self, service, entity, **data):
        """As a person would who presses, chooses or types."""
        domain, name = service.split(".")
        self._request(f"/api/services/{domain}/{name}", {"entity_id": entity, **data})

    def wait_for(self, entity, accept, seconds=10):
        """The entity's first state that is accepted."""
        def accepted():
            state = self.state(entity)
            return (state,) if state is not None and accept(state) else None
        return wait_until(accepted, seconds, lambda: f"{entity}: last {self.state(entity)}")[0]

    def _request(self, path, data=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data=None if data is None else json.dumps(data).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.loads(response.read())
