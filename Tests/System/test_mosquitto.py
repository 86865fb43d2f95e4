"""deploy/mosquitto on a real broker: what the access list refuses and what it lets through. Whether a message was refused is told by
who hears all: with MQTT 3.1.1, and without an acknowledgement, the broker drops it without a word to its sender."""
import http.client
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

from mosquitto import DEPLOY, PASSWORD, ConfiguredBroker, login
from support import PROJECT, Agent, free_port, wait_until

DISCOVERY = "homeassistant/device/compass_{}/config"
COMMANDS = ["destination", "steer", "trip", "reference", "smoothing", "heading_offset", "calibration"]

# (user, topic): what each may publish, and what not. An empty user is nobody in particular.
WRITABLE = [
    *[("boat", f"compass/boat/{path}") for path in ["status", "gps/status", "heading", "heading/true", "commands/rejected"]],
    ("boat", DISCOVERY.format("boat")), ("other", "compass/other/heading"), ("other", DISCOVERY.format("other")),
    *[(user, f"compass/boat/{command}/set") for user in ["home-assistant", "dashboard"] for command in COMMANDS],
    ("home-assistant", "homeassistant/status"), ("home-assistant", DISCOVERY.format("boat")),
    ("home-assistant", "fleet/boat/steer/set"), ("boat", "fleet/boat/status"),
]
REFUSED = [
    # Another vessel's topics, commands and device; what is nobody's; what looks like its own.
    *[("boat", topic) for topic in [
        "compass/other/heading", "compass/other/status", "compass/other/steer/set", "compass/boat2/heading",
        "compass/boa/heading", "compass/heading", "fleet/other/status", DISCOVERY.format("other"),
        "homeassistant/device/boat/config", "homeassistant/sensor/compass_boat/config", "homeassistant/status", "anything",
        "$SYS/broker/uptime"]],
    # Values, by those who may command.
    *[(user, f"compass/boat/{path}") for user in ["home-assistant", "dashboard", "viewer"]
      for path in ["heading", "status", "gps/status", "position", "diagnostics", "commands/rejected", "set"]],
    *[(user, f"fleet/boat/{path}") for user in ["home-assistant", "dashboard", "viewer"] for path in ["status", "heading"]],
    # The viewer commands nothing, and announces nothing.
    *[("viewer", f"compass/boat/{command}/set") for command in COMMANDS],
    *[("viewer", topic) for topic in ["fleet/boat/steer/set", "homeassistant/status", DISCOVERY.format("boat"), "anything"]],
    ("dashboard", "homeassistant/status"), ("dashboard", DISCOVERY.format("boat")), ("home-assistant", "anything"),
    # The patterns make nobody a vessel who is none.
    *[(user, topic) for user in ["home-assistant", "dashboard", "viewer"]
      for topic in [f"compass/{user}/status", f"compass/{user}/heading", f"fleet/{user}/status"]],
    *[(user, DISCOVERY.format(user)) for user in ["dashboard", "viewer"]],
    ("", "compass/boat/heading"), ("", "compass/boat/steer/set"), ("", "compass//heading"), ("", "anything"),
]
# What each hears of all that is published, whatever it asks for.
PUBLISHED = ["compass/boat/heading", "compass/boat/gps/status", "compass/boat/steer/set", "compass/other/heading",
             "compass/other/steer/set", "fleet/boat/status", "fleet/boat/steer/set", "fleet/other/steer/set",
             DISCOVERY.format("boat"), DISCOVERY.format("other"), "homeassistant/status", "homeassistant/sensor/x/config",
             "zigbee2mqtt/lamp", "compass"]
VESSELS = {topic for topic in PUBLISHED if topic.startswith(("compass", "fleet"))}
HEARD = {
    "boat": {"compass/boat/steer/set", "fleet/boat/steer/set", "homeassistant/status"},
    "other": {"compass/other/steer/set", "fleet/other/steer/set", "homeassistant/status"},
    "home-assistant": VESSELS | {topic for topic in PUBLISHED if topic.startswith("homeassistant")},
    "dashboard": VESSELS | {"homeassistant/status"},
    "viewer": VESSELS | {"homeassistant/status"},
}


class AccessList(unittest.TestCase):
    def setUp(self):
        self.broker = self.enterContext(ConfiguredBroker())
        self.auditor = self.enterContext(self.broker.subscriber())

    def heard_after(self, attempts):
        """Which of the (user, topic, payload) attempts came through."""
        for user, topic, payload, options, version in attempts:
            self.broker.publish(user, topic, payload, *options, version=version)
        # What came in before is through when this is.
        self.broker.publish("auditor", "end", "end", "-q", "1")
        self.auditor.wait_for("end")
        return {message.payload.decode() for message in self.auditor.messages}

    def test_publishing_what_is_not_ones_own_is_refused(self):
        ways = [("5", "1"), ("5", "0"), ("3.1.1", "1"), ("3.1.1", "0")]
        for allowed, cases in (True, WRITABLE), (False, REFUSED):
            attempts = []
            for index, (user, topic) in enumerate(cases):
                version, qos = ways[index % len(ways)]
                attempts.append((user, topic, f"{user} on {topic}", ["-q", qos], version))
            heard = self.heard_after(attempts)
            for attempt in attempts:
                with self.subTest(user=attempt[0], topic=attempt[1], version=attempt[4], options=attempt[3]):
                    self.assertEqual(attempt[2] in heard, allowed)
            self.auditor.forget()

    def test_with_an_acknowledgement_mqtt_5_says_so(self):
        self.assertIn("Not authorized", self.broker.publish("boat", "compass/other/heading", "x", "-q", "1"))
        self.assertEqual(self.broker.publish("boat", "compass/boat/heading", "x", "-q", "1"), "")

    def test_nobody_comes_in_without_a_name_and_its_password(self):
        self.assertIn("ot authori", self.broker.publish("", "compass/boat/heading", "x"))
        for user, password in ("boat", "wrong"), ("stranger", "correct-horse"), ("boat", ""):
            with self.subTest(user=user, password=password):
                self.assertIn("ot authori", self.broker.publish("", "x", "x", "-u", user, "-P", password))

    def test_each_hears_its_own_and_no_more_whatever_it_asks_for(self):
        filters = ["#", "+/#", "compass/#", "fleet/#", "homeassistant/#", *PUBLISHED]
        readers = {user: self.enterContext(self.broker.subscriber(user, filters)) for user in HEARD}
        for topic in PUBLISHED:
            self.broker.publish("auditor", topic, "live", "-r", "-q", "1")
        self.broker.publish("auditor", "homeassistant/status", "end", "-q", "1")
        for user, reader in readers.items():
            with self.subTest(user=user):
                reader.wait_for("homeassistant/status", lambda payload: payload == "end")
                self.assertEqual({message.topic for message in reader.messages}, HEARD[user])
        # And of what is kept, no more.
        for user in HEARD:
            with self.subTest(user=user, of="what is kept"), self.broker.subscriber(user, filters) as late:
                late.wait_for("homeassistant/status")
                time.sleep(0.3)
                self.assertLessEqual({message.topic for message in late.messages}, HEARD[user])


class Installed(unittest.TestCase):
    """The agent, the dashboard and Home Assistant under that list."""

    def setUp(self):
        self.broker = self.enterContext(ConfiguredBroker())
        self.auditor = self.enterContext(self.broker.subscriber(base="compass/boat"))

    def agent(self, version, user="boat"):
        agent = login(Agent(self.broker, {
            "agent": {"id": "boat"}, "publish": {"base_topic": "compass/boat"}, "mqtt": {"version": version},
            "commands": {"enabled": "yes"}, "gps": {"enabled": "yes"}}, ["run", "--simulate"]), user)
        return self.enterContext(agent)

    def test_everything_the_agent_says_arrives_and_its_commands_too(self):
        swift = (PROJECT / "Sources/HeadingPipeline/Publish/Topic.swift").read_text()
        topics = re.findall(r'case \.\w+: "([a-z_/]+)"', swift)
        self.assertGreater(len(topics), 20)
        for version in "5", "3.1.1":
            with self.subTest(version=version):
                self.auditor.forget()
                agent = self.agent(version)
                for command, payload in ("steer", "95"), ("destination", '{"latitude": 50.3, "longitude": -4.6}'), ("trip", "no"):
                    wait_until(lambda: ": connected" in agent.log, 10, lambda: agent.log)
                    self.broker.publish("home-assistant", f"compass/boat/{command}/set", payload, version=version)
                self.auditor.wait_for("steer", lambda payload: payload and payload["value"] == 95)
                for topic in topics:
                    self.auditor.wait_for(topic, seconds=20)
                self.auditor.wait_for(DISCOVERY.format("boat"))
                # Home Assistant starts, and is told everything again.
                self.auditor.forget()
                self.broker.publish("home-assistant", "homeassistant/status", "online")
                self.auditor.wait_for(DISCOVERY.format("boat"), seconds=15)
                # Killed, its will may say so.
                self.auditor.forget()
                agent.kill()
                self.auditor.wait_for("status", lambda payload: payload == "offline")
                self.assertNotIn("does not let", agent.log)

    def test_the_dashboard_shows_the_vessel_and_commands_it_a_viewers_commands_nothing(self):
        self.agent("5")
        self.auditor.wait_for("diagnostics", lambda payload: "commands" in payload)
        for user, arrives in ("viewer", False), ("dashboard", True):
            with self.subTest(user=user):
                dashboard = Agent(self.broker, {"dashboard": {"port": free_port(), "commands": "yes"}}, ["dashboard"])
                with login(dashboard, user):
                    port = dashboard.settings["dashboard"]["port"]
                    wait_until(lambda: "heading" in page(port, "/events?vessel=compass/boat"), 20, lambda: dashboard.log)
                    self.auditor.forget()
                    answer = page(port, "/command", {"vessel": "compass/boat", "command": "steer", "value": 123})
                    self.assertEqual(answer, "")
                    if arrives:
                        self.auditor.wait_for("steer", lambda payload: payload and payload["value"] == 123)
                    else:
                        sign = "does not let this client publish compass/boat/steer/set"
                        wait_until(lambda: sign in dashboard.log, 10, lambda: dashboard.log)
                        self.assertEqual(self.auditor.of("steer/set"), [])


def page(port, path, body=None):
    """What the dashboard answers, of a stream what it sends at once."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        if body is None:
            connection.request("GET", path)
            return connection.getresponse().read1(65536).decode()
        connection.request("POST", "/command", json.dumps(body), {
            "Content-Type": "application/json", "Origin": f"http://127.0.0.1:{port}"})
        answer = connection.getresponse()
        return "" if answer.status == 202 else f"{answer.status} {answer.read()}"
    except OSError:
        return ""
    finally:
        connection.close()


class Refused(unittest.TestCase):
    """An agent under a name that is not its id."""

    def setUp(self):
        self.broker = self.enterContext(ConfiguredBroker())

    def test_the_agent_says_what_it_may_not_publish_once(self):
        agent = login(Agent(self.broker, {"agent": {"id": "boat"}, "publish": {"base_topic": None}}), "other")
        with agent:
            sign = "does not let this client publish compass/boat/status"
            wait_until(lambda: sign in agent.log, 10, lambda: agent.log)
            wait_until(lambda: f"publish {DISCOVERY.format('boat')}" in agent.log, 10, lambda: agent.log)
            self.broker.kill()
            self.broker.restart()
            wait_until(lambda: self.broker.log.count("as compass-boat") == 2, 20, lambda: self.broker.log)
            time.sleep(1)
            self.assertEqual(agent.log.count(sign), 1, agent.log)


def may_make_namespaces():
    return os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "--net", "true"], capture_output=True).returncode == 0


# Runs the page's commands where /etc/mosquitto, its state and the network are a private copy. apt, systemctl and sudo are stand-ins:
# the packages are there, no systemd runs, and this is root already.
STAGE = """
set -eu
ip link set lo up
cp -a /etc/mosquitto etc
mkdir state log run
chown mosquitto etc state log run
mount --bind etc /etc/mosquitto
mount --bind state /var/lib/mosquitto
mount --bind log /var/log/mosquitto
mkdir -p /run/mosquitto
mount --bind run /run/mosquitto
sudo() { "$@"; }
apt() { :; }
stop() { [ ! -e /run/mosquitto/mosquitto.pid ] || { kill "$(cat /run/mosquitto/mosquitto.pid)"; while mosquitto_pub -u viewer -P correct-horse -t x -n 2>/dev/null; do sleep 0.1; done; }; }
systemctl() {
    [ "$*" = "restart mosquitto" ]
    stop
    /usr/sbin/mosquitto -d -c /etc/mosquitto/mosquitto.conf
    for try in $(seq 100); do mosquitto_pub -u viewer -P correct-horse -t x -n 2>/dev/null && return; sleep 0.1; done
    cat /var/log/mosquitto/mosquitto.log
    return 1
}
trap stop EXIT
cd "$DEPLOY"
"""


@unittest.skipUnless(may_make_namespaces(), "namespaces need root")
class Readme(unittest.TestCase):
    def test_its_commands_lead_from_nothing_to_a_running_broker_and_a_bridge(self):
        page = (DEPLOY / "README.md").read_text()
        install, look, bridge = re.findall(r"```sh\n(.*?)```", page, re.S)
        # What asks for a password gets it twice.
        install = re.sub(r"(sudo mosquitto_passwd .*)", rf"printf '{PASSWORD}\\n{PASSWORD}\\n' | \1", install)
        look = look.replace("PASSWORD", PASSWORD).replace(" -v", " -v -C 1 -W 10")
        say = f"mosquitto_pub -u boat -P {PASSWORD} -r -t compass/boat/status -m online\n"
        bridge = bridge.replace("ID", "boat").replace("ADDRESS", "nowhere.example").replace("PASSWORD", PASSWORD)
        with tempfile.TemporaryDirectory(prefix="compass-broker-") as folder:
            pathlib.Path(folder).chmod(0o755)
            script = STAGE + install + say + look + bridge + "grep -h remote_clientid /etc/mosquitto/conf.d/bridge.conf\n" + say + look
            done = subprocess.run(
                ["unshare", "--mount", "--net", "bash", "-c", script], cwd=folder, env={**os.environ, "DEPLOY": str(DEPLOY)},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("compass/boat/status online"), 2, done.stdout + done.stderr)
        self.assertIn("remote_clientid boat-bridge", done.stdout)


if __name__ == "__main__":
    unittest.main()
