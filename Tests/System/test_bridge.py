"""deploy/mosquitto/bridge.conf between two real brokers: what is ashore after days without a link, and what a viewer ashore can
tell while it is away."""
import contextlib
import json
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

from certificates import Authority
from mosquitto import DEPLOY, PASSWORD, ConfiguredBroker, login
from support import PROJECT, Agent, Link, free_port, wait_until
from test_mosquitto import page

KEEPALIVE = 5
# mosquitto looks for silent clients every few seconds.
NOTICED = KEEPALIVE * 1.5 + 10
# restart_timeout of bridge.conf, and a keepalive until a dead attempt is given up.
BACK = 31 + NOTICED


class Bridged(unittest.TestCase):
    """A broker ashore with TLS, a boat's broker, and the link between them."""

    @classmethod
    def setUpClass(cls):
        cls.certificates = tempfile.TemporaryDirectory(prefix="compass-bridge-")
        cls.addClassCleanup(cls.certificates.cleanup)
        cls.authority = Authority(cls.certificates.name, "Shore CA")
        cls.pair = cls.authority.issue("localhost")

    def setUp(self):
        self.tls_port = free_port()
        self.shore = self.enterContext(ConfiguredBroker(change=self.with_tls))
        self.link = self.enterContext(Link(self.tls_port))
        self.ashore = self.enterContext(self.shore.subscriber(base="fleet/boat"))

    def with_tls(self, text):
        """compass.conf with the lines of its encrypted listener taken in."""
        certificate, key = self.pair
        text = re.sub(r"^#(listener|certfile|keyfile) ", r"\1 ", text, flags=re.M)
        return text.replace("8883", f"{self.tls_port} 127.0.0.1") \
            .replace("/etc/mosquitto/certs/broker.crt", str(certificate)).replace("/etc/mosquitto/certs/broker.key", str(key))

    def bridge(self, commands=False, change=lambda text: text):
        """bridge.conf with its own address, password and authority, and a shorter keepalive."""
        text = (DEPLOY / "bridge.conf").read_text()
        if commands:
            text = text.replace("#topic +/set in", "topic +/set in")
        text = text.replace("shore.example:8883", f"localhost:{self.link.port}").replace("change-me", PASSWORD)
        text = text.replace("bridge_capath /etc/ssl/certs", f"bridge_cafile {self.authority.certificate}")
        text = text.replace("keepalive_interval 30", f"keepalive_interval {KEEPALIVE}")
        return change(text)

    def start_boat(self, **bridge):
        self.boat = self.enterContext(ConfiguredBroker(lines=[self.bridge(**bridge)]))

    def agent(self, commands="yes"):
        agent = login(Agent(self.boat, {
            "agent": {"id": "boat"}, "publish": {"base_topic": "compass/boat"}, "commands": {"enabled": commands},
            "gps": {"enabled": "yes"}}, ["run", "--simulate"]), "boat")
        return self.enterContext(agent)

    def say(self, path, payload, *options):
        self.boat.publish("boat", f"compass/boat/{path}", payload, "-r", *options)

    def is_online(self):
        return self.kept_ashore("status").get("status") == "online"

    def kept_ashore(self, path="#"):
        """What a viewer who comes now is told."""
        with self.shore.subscriber("viewer", [f"fleet/boat/{path}"], "fleet/boat") as late:
            time.sleep(0.3)
            return {message.topic: message.payload.decode() for message in late.messages}

    def wait_until_there(self):
        wait_until(lambda: self.ashore.payload("status") == "online", BACK, lambda: self.boat.log[-2000:])


class Ashore(Bridged):
    def test_everything_the_agent_says_is_there_with_its_expiry_and_no_command_is(self):
        self.start_boat()
        self.agent()
        self.wait_until_there()
        for command, payload in ("steer", "95"), ("destination", '{"latitude": 50.3, "longitude": -4.6}'), ("trip", "no"):
            self.boat.publish("home-assistant", f"compass/boat/{command}/set", payload, "-q", "1")
        swift = (PROJECT / "Sources/HeadingPipeline/Publish/Topic.swift").read_text()
        topics = set(re.findall(r'case \.\w+: "([a-z_/]+)"', swift))
        for topic in topics:
            self.ashore.wait_for(topic, seconds=20)
        self.assertEqual({message.topic for message in self.ashore.messages}, topics | {"discovery"})
        # With an MQTT 5 client, what is left of the three heartbeats.
        heard = subprocess.run(
            ["mosquitto_sub", "-p", str(self.shore.port), "-u", "viewer", "-P", PASSWORD, "-V", "mqttv5", "-C", "1", "-W", "5",
             "-F", "%E", "-t", "fleet/boat/field"], capture_output=True, text=True).stdout
        self.assertIn(int(heard), range(60, 181))

    def test_a_home_assistant_ashore_is_shown_the_boat_under_its_names_of_ashore(self):
        self.start_boat()
        self.agent()
        self.wait_until_there()
        aboard = self.ashore.wait_for("discovery", lambda payload: payload and "roll" in payload["cmps"], 20)
        subprocess.run([DEPLOY / "announce-ashore", "boat", "-p", str(self.shore.port), "-u", "home-assistant", "-P", PASSWORD],
                       check=True, timeout=20)
        shown = self.ashore.wait_for("homeassistant/device/compass_boat/config")
        self.assertEqual(set(shown["cmps"]), set(aboard["cmps"]))
        self.assertNotIn("compass/boat/", json.dumps(shown))
        for entity in shown["cmps"].values():
            self.assertEqual(entity["avty"][0]["t"], "fleet/boat/status")
            self.assertEqual(entity["avty"][0]["val_tpl"], '{{ "online" if value == "online" else "offline" }}')
        self.assertEqual(shown["cmps"]["heading"]["stat_t"], "fleet/boat/heading")

    def test_a_boat_writes_no_other_boats_topics_ashore(self):
        self.start_boat(change=lambda text: text.replace("fleet/boat", "fleet/other"))
        self.say("status", "online", "-q", "1")
        self.say("heading", "1", "-q", "1")
        wait_until(lambda: "as boat-bridge" in self.shore.log, BACK, lambda: self.shore.log)
        self.say("heading", "2", "-q", "1")
        time.sleep(1)
        self.assertEqual([message for message in self.ashore.messages if message.topic.startswith("fleet/other")], [])


class LinkAway(Bridged):
    def test_the_newest_value_of_each_topic_follows_and_no_backlog(self):
        self.start_boat()
        self.say("status", "online", "-q", "1")
        self.wait_until_there()
        for fault in self.link.cut, self.link.hang:
            with self.subTest(fault=fault.__name__):
                self.say("heading", "before")
                self.ashore.wait_for("heading", lambda payload: payload == "before")
                fault()
                # Ashore one can tell, whoever comes new too.
                self.ashore.wait_for("status", lambda payload: payload == "0", NOTICED)
                self.assertFalse(self.is_online())
                before = resident(self.boat)
                self.say_for_days()
                if fault == self.link.cut:
                    self.assertLess(resident(self.boat) - before, 1024, "KiB that the boat's broker grew by")
                self.say("heading", "newest")
                self.say("course", "newest", "-q", "1")
                self.ashore.forget()
                self.link.mend()
                self.ashore.wait_for("heading", lambda payload: payload == "newest", BACK)
                self.ashore.wait_for("course", lambda payload: payload == "newest")
                self.wait_until_there()
                self.assertTrue(self.is_online())
                old = [message for message in self.ashore.messages if message.payload.startswith(b"old")]
                self.assertEqual(old, [])
                self.assertEqual([message.payload for message in self.ashore.of("heading")][-1], b"newest")

    def say_for_days(self):
        """100 000 samples: at one a second on each of ten topics, three hours; were they kept, 20 MB."""
        for qos in "0", "1":
            lines = "\n".join("old " + "x" * 180 + str(index) for index in range(50_000))
            for path in "heading", "course":
                subprocess.run(
                    ["mosquitto_pub", "-p", str(self.boat.port), "-u", "boat", "-P", PASSWORD, "-q", qos, "-r", "-l",
                     "-t", f"compass/boat/{path}"], input=lines[:len(lines) // 2], text=True, check=True, timeout=120)

    def test_a_dashboard_ashore_shows_the_boat_as_offline(self):
        self.start_boat()
        self.say("status", "online", "-q", "1")
        self.say("heading", '{"value": 95.0, "unit": "°"}')
        port = free_port()
        dashboard = Agent(self.shore, {"dashboard": {"port": port, "topics": "fleet/+"}}, ["dashboard"])
        with login(dashboard, "viewer"):
            def lists(is_online):
                return f'{{"base":"fleet/boat","online":{is_online}}}' in page(port, "/events?vessel=fleet/boat").replace(" ", "")
            wait_until(lambda: lists("true"), BACK, lambda: dashboard.log)
            self.link.cut()
            wait_until(lambda: lists("false"), NOTICED, lambda: dashboard.log)
            self.link.mend()
            wait_until(lambda: lists("true"), BACK, lambda: dashboard.log)

    def test_a_boats_broker_that_ends_or_dies_leaves_no_online_behind(self):
        for end in ConfiguredBroker.stop, ConfiguredBroker.kill:
            with self.subTest(end=end.__name__):
                self.start_boat()
                self.say("status", "online", "-q", "1")
                self.wait_until_there()
                self.ashore.forget()
                end(self.boat)
                wait_until(lambda: not self.is_online(), NOTICED, lambda: self.shore.log)

    def test_memory_aboard_does_not_grow_with_the_time_that_the_link_hangs(self):
        """Until an attempt counts as failed, a keepalive, mosquitto holds what it would send. Ten times an agent's rate, over several
        attempts: were all held, 12 MB."""
        self.start_boat()
        self.say("status", "online", "-q", "1")
        self.wait_until_there()
        self.link.hang()
        before = resident(self.boat)
        attempts = self.boat.log.count("Connecting bridge (step 2)")
        with subprocess.Popen(
                ["mosquitto_pub", "-p", str(self.boat.port), "-u", "boat", "-P", PASSWORD, "-r", "-l", "-t", "compass/boat/heading"],
                stdin=subprocess.PIPE, text=True) as publisher:
            for _ in range(250):
                publisher.stdin.write("".join("old " + "x" * 200 + "\n" for _ in range(100)))
                publisher.stdin.flush()
                time.sleep(0.2)
            publisher.stdin.close()
        self.assertGreater(self.boat.log.count("Connecting bridge (step 2)"), attempts + 1)
        self.assertLess(resident(self.boat) - before, 6 * 1024, "KiB")

    def test_an_agent_that_went_offline_meanwhile_is_offline(self):
        self.start_boat()
        self.say("status", "online", "-q", "1")
        self.wait_until_there()
        self.link.cut()
        self.ashore.wait_for("status", lambda payload: payload == "0", NOTICED)
        self.say("status", "offline", "-q", "1")
        self.link.mend()
        self.ashore.wait_for("status", lambda payload: payload == "offline", BACK)


class CommandsFromAshore(Bridged):
    def test_come_aboard_only_where_allowed_and_only_while_the_link_is_there(self):
        for allowed in False, True:
            with self.subTest(allowed=allowed), contextlib.ExitStack() as stack:
                self.boat = stack.enter_context(ConfiguredBroker(lines=[self.bridge(commands=allowed)]))
                aboard = stack.enter_context(self.boat.subscriber(base="compass/boat"))
                self.ashore.forget()
                self.say("status", "online", "-q", "1")
                self.wait_until_there()
                # The bridge subscribes at once after it says that it is there.
                time.sleep(1)
                self.shore.publish("home-assistant", "fleet/boat/steer/set", "95", "-q", "1")
                self.shore.publish("home-assistant", "fleet/boat/heading", "95", "-q", "1")
                self.shore.publish("viewer", "fleet/boat/trip/set", "reset", "-q", "1")
                if not allowed:
                    time.sleep(2)
                    self.assertEqual([message.topic for message in aboard.messages if message.payload == b"95"], [])
                    continue
                aboard.wait_for("steer/set", lambda payload: payload == "95")
                self.link.cut()
                self.ashore.wait_for("status", lambda payload: payload == "0", NOTICED)
                self.shore.publish("home-assistant", "fleet/boat/steer/set", "180", "-q", "1")
                self.link.mend()
                self.ashore.forget()
                self.wait_until_there()
                time.sleep(2)
                # Once each, neither late nor going round.
                self.assertEqual([message.payload for message in aboard.of("steer/set")], [b"95"])
                self.assertEqual(aboard.of("heading") + aboard.of("trip/set"), [])
                self.assertEqual(len(self.ashore.of("steer/set")), 0)


def resident(process):
    """KiB."""
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1])


if __name__ == "__main__":
    unittest.main()
