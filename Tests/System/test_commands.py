"""Commands by MQTT: what is accepted, refused, kept, and never done twice."""
import itertools
import json
import pathlib
import re
import signal
import subprocess
import time
import unittest

from sensors import HMC5883L, Tree
from support import BASE, BINARY, Agent, Broker, Link, Subscriber, decode, wait_until
from test_calibrate import Hand

ENABLED = {"commands": {"enabled": "yes"}}
FOWEY = {"latitude": 50.3275, "longitude": -4.6357, "name": "Fowey"}
SETTINGS = {"reference": ("magnetic", "true"), "smoothing": ("2.5", "0.5"), "heading_offset": ("-3.5", "0")}


def connected(agent, times=1):
    wait_until(lambda: agent.log.count(": connected") >= times, 40, lambda: f"connected {times} times\n{agent.log}")


def settings(**others):
    return {**ENABLED, **others}


class Commands(unittest.TestCase):
    """With a broker, a subscriber and an agent that takes commands."""

    def setUp(self):
        self.broker = self.enterContext(Broker())
        self.subscriber = self.enterContext(Subscriber(self.broker))

    def agent(self, arguments=("run",), **sections):
        agent = self.enterContext(Agent(self.broker, settings(**sections), arguments))
        connected(agent)
        return agent

    def send(self, command, payload, retain=False):
        payload = json.dumps(payload) if isinstance(payload, dict) else payload
        self.subscriber.client.publish(f"{BASE}/{command}/set", payload, 1, retain).wait_for_publish()

    def newest(self, topic, value, seconds=5):
        """The newest payload becomes this one."""
        wait_until(lambda: self.subscriber.payload(topic) == value, seconds,
                   lambda: f"{topic} is {value}, but {self.subscriber.payload(topic)}")

    def shown(self, *topics):
        """{topic: the bytes that it shows}."""
        for topic in topics:
            self.subscriber.wait_for(topic, bool)
        return {topic: self.subscriber.of(topic)[-1].payload for topic in topics}

    def state_file(self, agent):
        return agent.folder / "state" / "state.conf"

    def saved(self, agent, text):
        wait_until(lambda: self.state_file(agent).exists() and text in self.state_file(agent).read_text(), 25,
                   f"{text} is saved")


class Order(unittest.TestCase):
    def test_at_each_connect_it_subscribes_before_it_publishes(self):
        with Broker(["log_type all"]) as broker, Link(broker.port) as link, \
                Agent(broker, settings(mqtt={"port": str(link.port)})) as agent:
            connected(agent)
            packets = re.compile(r"Received (CONNECT|SUBSCRIBE|PUBLISH) from compass-test|as (compass-test) ")

            def sequences():
                # mosquitto logs a CONNECT as a new client that is connected as this one.
                words = [match.group(1) or "CONNECT" for match in packets.finditer(broker.log)]
                parts = " ".join(words).split("CONNECT")[1:]
                return [[word for word, _ in itertools.groupby(part.split())] for part in parts]
            wait_until(lambda: len(sequences()[0]) > 1, 5, lambda: broker.log)
            link.interrupt()
            wait_until(lambda: sequences()[1:] and len(sequences()[1]) > 1, 5, lambda: broker.log)
            self.assertEqual(sequences(), [["SUBSCRIBE", "PUBLISH"]] * 2)


class Accepted(Commands):
    def test_each_setting_is_answered_by_its_topic(self):
        self.agent()
        for topic, (new, default) in SETTINGS.items():
            self.newest(topic, default)
            self.send(topic, new)
            self.newest(topic, new)

    def test_heading_follows_reference_and_offset(self):
        self.agent(["--simulate"], gps={"enabled": "yes"}, heading={"declination": "20"})
        for topic in "heading/true", "heading/magnetic":
            self.subscriber.wait_for(topic)
        for reference, topic in ("true", "heading/true"), ("magnetic", "heading/magnetic"):
            self.send("reference", reference)

            def follows(shown, reference=reference, topic=topic):
                # True and magnetic are 20 degrees apart.
                return (shown and shown["reference"] == reference
                        and abs((shown["value"] - self.subscriber.payload(topic)["value"] + 180) % 360 - 180) < 5)
            self.subscriber.wait_for("heading", follows)

    def test_destination_course_to_steer_and_trip(self):
        self.agent(["--simulate"], gps={"enabled": "yes"})
        self.subscriber.wait_for("position")
        self.send("destination", FOWEY)
        way = self.subscriber.wait_for("destination", lambda payload: payload and payload["bearing"] is not None)
        # From 50.3 N 4.2 W, where the simulated vessel begins, it is 31 km nearly west (geographiclib: 31 165 m,
        # 275.8 degrees).
        self.assertAlmostEqual(way["bearing"], 275.8, delta=3)
        self.assertAlmostEqual(way["distance"], 31165 / 1852, delta=1)
        self.assertEqual((way["name"], way["distance_unit"], way["speed_unit"]), ("Fowey", "nmi", "kn"))
        self.assertFalse(way["arrived"])
        self.send("steer", "120")
        steer = self.subscriber.wait_for("steer", lambda payload: payload and payload["error"] is not None)
        heading = self.subscriber.payload("heading")
        self.assertEqual((steer["value"], steer["reference"]), (120.0, "true"))
        self.assertAlmostEqual((heading["value"] + steer["error"] - 120 + 180) % 360, 180, delta=15)
        wait_until(lambda: self.subscriber.payload("trip")["value"] > 0, 30, "the trip grows")
        since = self.subscriber.payload("trip")["since"]
        self.send("trip", "reset")
        wait_until(lambda: self.subscriber.payload("trip")["since"] > since, 5, "the trip begins anew")
        for topic in "destination", "steer":
            self.send(topic, "")
            self.newest(topic, "")
        time.sleep(1)
        self.assertEqual(self.subscriber.payload("steer"), "")

    def test_what_a_setting_shows_is_taken_as_a_command_and_changes_nothing(self):
        self.agent(["--simulate"], gps={"enabled": "yes"})
        self.subscriber.wait_for("position")
        self.send("destination", {**FOWEY, "name": 'Fowey "W" \\ ö'})
        self.send("steer", "120.5")
        for topic, shown in self.shown("destination", "steer", *SETTINGS).items():
            with self.subTest(topic):
                self.subscriber.forget()
                self.subscriber.client.publish(f"{BASE}/{topic}/set", shown, 1)
                before, after = decode(shown), self.subscriber.wait_for(topic, bool)
                if isinstance(before, dict):
                    # What else a document tells goes on with the vessel.
                    after, before = ([document.get(key) for key in ("value", "latitude", "longitude", "name")]
                                     for document in (after, before))
                self.assertEqual(after, before)
                self.assertEqual(self.subscriber.of("commands/rejected"), [])

    def test_what_a_trip_and_a_calibration_show_begins_nothing_anew(self):
        self.agent(["--simulate"], gps={"enabled": "yes"})
        self.subscriber.wait_for("trip", lambda payload: payload["value"] > 0, 60)
        since = self.subscriber.payload("trip")["since"]
        for topic, shown in self.shown("trip", "calibration").items():
            with self.subTest(topic):
                self.subscriber.forget()
                self.subscriber.client.publish(f"{BASE}/{topic}/set", shown, 1)
                self.assertIn("is a state", self.subscriber.wait_for("commands/rejected")["reason"])
        with Subscriber(self.broker) as late:
            self.assertEqual(late.wait_for("trip")["since"], since)
            self.assertEqual(late.wait_for("calibration")["state"], "idle")

    def test_cleared_ones_are_retained_nowhere(self):
        agent = self.agent()
        for payload in "120", "":
            self.send("steer", payload)
            self.newest("steer", "" if not payload else self.subscriber.wait_for("steer", bool))
        with Subscriber(self.broker) as late:
            late.wait_for("status")
            time.sleep(0.3)
            self.assertEqual(late.of("steer"), [])
        self.assertTrue(agent.is_running)


class Refused(Commands):
    HOSTILE = [
        ("steer", b"abc"), ("steer", b"360"), ("steer", b"\xff\xfe\x00"), ("steer", b"9" * 5000), ("steer", b"\x00"),
        ("steer", b"1e2"), ("reference", b"north"), ("reference", b""), ("smoothing", b"-1"), ("smoothing", b"nan"),
        ("heading_offset", b"181"), ("trip", b"reset!"), ("calibration", b"stop"), ("destination", b"{"),
        ("destination", b"[" * 100000), ("destination", b'{"latitude":91,"longitude":0}'),
        ("destination", b'{"latitude":1,"longitude":2,"name":"\xc3\x28"}'), ("frobnicate", b"1"),
        ("steer", bytes(range(256))),
    ]

    def test_hostile_payloads_get_a_reason_and_change_nothing(self):
        agent = self.agent()
        before = {topic: self.subscriber.wait_for(topic) for topic in SETTINGS}
        for number, (command, payload) in enumerate(self.HOSTILE):
            with self.subTest(command=command, payload=payload[:20]):
                self.subscriber.forget()
                self.send(command, payload)
                answer = self.subscriber.wait_for("commands/rejected", seconds=5)
                self.assertEqual(list(answer), ["topic", "payload", "reason", "time"])
                self.assertEqual(answer["topic"], f"{command}/set")
                self.assertLessEqual(len(answer["payload"]), 100 * 8 + 3)
                self.assertTrue(answer["reason"])
                self.assertFalse(self.subscriber.of("commands/rejected")[-1].retained)
                # Twenty at once, then two a second.
                time.sleep(0.1)
        with Subscriber(self.broker) as late:
            late.wait_for("diagnostics", lambda payload: payload["commands"]["refused"] == len(self.HOSTILE))
            self.assertEqual({topic: late.payload(topic) for topic in SETTINGS}, before)
            self.assertEqual(late.of("commands/rejected"), [])
            self.assertEqual(late.of("steer"), [])
        self.assertTrue(agent.is_running)

    def test_a_huge_one_does_not_even_come(self):
        agent = self.agent()

        def peak():
            status = pathlib.Path(f"/proc/{agent.pid}/status").read_text()
            return int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1))
        before = peak()
        self.send("steer", b"9" * 50_000_000)
        self.send("steer", "45")
        self.subscriber.wait_for("steer", lambda payload: payload and payload["value"] == 45)
        self.assertLess(peak() - before, 3000)

    def test_a_flood_is_counted_and_bounded_in_the_log(self):
        agent = self.agent()
        for _ in range(2000):
            self.subscriber.client.publish(f"{BASE}/steer/set", "x", 0)
        self.send("smoothing", "2")
        time.sleep(3)
        self.send("smoothing", "1")
        self.newest("smoothing", "1")
        self.assertLessEqual(agent.log.count("command refused"), 25)

    def test_disabled_they_are_not_even_heard(self):
        agent = self.enterContext(Agent(self.broker))
        connected(agent)
        self.newest("reference", "true")
        self.send("reference", "magnetic")
        self.send("steer", "abc")
        time.sleep(1)
        self.assertEqual(self.subscriber.payload("reference"), "true")
        self.assertEqual(self.subscriber.of("commands/rejected"), [])
        self.assertNotIn(f"{agent.settings['agent']['id']} 0 {BASE}", self.broker.log)
        self.assertNotIn("commands", self.subscriber.wait_for("diagnostics"))


class Kept(Commands):
    def set_everything(self, agent):
        for topic, (new, _) in SETTINGS.items():
            self.send(topic, new)
        self.send("destination", FOWEY)
        self.send("steer", "120")
        self.subscriber.wait_for("steer", bool)

    def assert_everything(self, subscriber, seconds=10):
        for topic, (new, _) in SETTINGS.items():
            subscriber.wait_for(topic, lambda payload, new=new: payload == new, seconds)
        self.assertEqual(subscriber.wait_for("destination", bool, seconds)["name"], "Fowey")
        self.assertEqual(subscriber.wait_for("steer", bool, seconds)["value"], 120.0)

    def test_they_last_a_restart_and_a_power_cut(self):
        agent = self.agent()
        self.set_everything(agent)
        self.saved(agent, "course = 120")
        for times, end in enumerate([agent.stop, agent.kill], 2):
            end()
            self.broker.kill()
            self.broker.restart()
            agent.start()
            connected(agent, times)
            with Subscriber(self.broker) as fresh:
                self.assert_everything(fresh)

    def test_a_course_stays_where_it_is_on_the_water(self):
        tree = self.enterContext(Tree())
        tree.add(0, "i2c-1/1-001e", HMC5883L)
        agent = self.agent(magnetometer={"iio_root": str(tree.root)}, heading={"declination": "15"})
        self.subscriber.wait_for("heading", lambda payload: payload["reference"] == "true")
        self.send("steer", "120")
        shown = self.subscriber.wait_for("steer", lambda payload: payload and payload["error"] is not None)
        self.assertEqual((shown["value"], shown["reference"]), (120.0, "true"))
        self.send("reference", "magnetic")
        turned = self.subscriber.wait_for("steer", lambda payload: payload and payload["reference"] == "magnetic")
        self.assertEqual(turned["value"], 105.0)
        self.assertAlmostEqual(turned["error"], shown["error"], delta=1)
        self.saved(agent, "reference = magnetic")
        agent.stop()
        self.assertIn("[steer]\ncourse = 120\nreference = true\n", self.state_file(agent).read_text())
        agent.settings["heading"] = {}
        agent.start()
        # Nobody knows where that is from a heading that can only be magnetic.
        alone = self.subscriber.wait_for("steer", lambda payload: payload and payload.get("reason") == "no declination")
        self.assertEqual((alone["value"], alone["reference"], alone["error"]), (120.0, "true", None))

    def test_a_command_just_before_the_end_is_saved(self):
        agent = self.agent()
        self.set_everything(agent)
        self.send("steer", "77")
        self.subscriber.wait_for("steer", lambda payload: payload and payload["value"] == 77)
        agent.stop()
        self.assertIn("course = 77", self.state_file(agent).read_text())

    def test_each_of_several_commands_is_safe_from_a_power_cut_within_moments(self):
        agent = self.agent()
        for value in "1", "2", "3":
            self.send("smoothing", value)
            wait_until(lambda value=value: self.state_file(agent).exists()
                       and f"smoothing = {value}\n" in self.state_file(agent).read_text(), 3, f"{value} is saved")
        agent.kill()
        agent.start()
        connected(agent, 2)
        self.newest("smoothing", "3")

    def test_a_setting_is_given_back_to_the_config_file(self):
        agent = self.agent(heading={"offset": "1"})
        for topic, (new, default) in SETTINGS.items():
            configured = "1" if topic == "heading_offset" else default
            with self.subTest(topic):
                self.send(topic, new)
                self.newest(topic, new)
                self.send(topic, "default")
                self.newest(topic, configured)
        # Settings that are kept stand in a section of their own.
        wait_until(lambda: "[heading]" not in self.state_file(agent).read_text(), 3, "nothing is kept")
        lines = subprocess.run([BINARY, "check", "--effective", str(agent.config)], capture_output=True, text=True).stdout
        self.assertRegex(lines, r"(?m)^offset = 1 +# .*compass-mqtt.conf:\d+$")
        self.assertRegex(lines, r"(?m)^smoothing = 0.5 +# default$")
        self.assertNotIn("# command", lines)
        agent.stop()
        agent.settings["heading"]["offset"] = "2"
        agent.start()
        connected(agent, 2)
        self.newest("heading_offset", "2")

    def test_check_says_where_each_value_is_from(self):
        agent = self.agent(heading={"offset": "1", "declination": "2"})
        self.send("heading_offset", "-3.5")
        self.saved(agent, "offset = -3.5")

        def effective():
            return subprocess.run([BINARY, "check", "--effective", str(agent.config)], capture_output=True, text=True)
        lines = effective().stdout
        self.assertRegex(lines, rf"(?m)^offset = -3.5 +# command, kept in {self.state_file(agent)}$")
        self.assertRegex(lines, r"(?m)^declination = 2 +# .*compass-mqtt.conf:\d+$")
        self.assertRegex(lines, r"(?m)^smoothing = 0.5 +# default$")
        agent.stop()
        self.state_file(agent).write_text("[heading]\noffset = 999\n")
        result = effective()
        self.assertIn("line 2: offset is out of range", result.stderr)
        self.assertRegex(result.stdout, r"(?m)^offset = 1 +# .*compass-mqtt.conf:\d+$")
        self.assertTrue(self.state_file(agent).exists())

    def test_disabled_again_the_config_file_counts(self):
        agent = self.agent(heading={"offset": "1"})
        self.set_everything(agent)
        agent.stop()
        agent.settings["commands"]["enabled"] = "no"
        agent.start()
        connected(agent, 2)
        self.newest("heading_offset", "1")
        self.newest("steer", "")
        agent.stop()
        agent.settings["commands"]["enabled"] = "yes"
        agent.start()
        connected(agent, 3)
        self.newest("heading_offset", "-3.5")

    def test_a_damaged_file_is_set_aside(self):
        for content in b"", b"\x00\xff garbage", b"[steer]\ncourse = 400\n":
            with self.subTest(content=content), Agent(self.broker, settings()) as agent:
                connected(agent)
                agent.stop()
                self.state_file(agent).write_bytes(content)
                agent.start()
                connected(agent, 2)
                self.assertIn("state.conf.broken", agent.log)
                self.assertEqual((agent.folder / "state/state.conf.broken").read_bytes(), content)
                self.send("steer", "45")
                self.saved(agent, "course = 45")

    def test_a_folder_that_cannot_be_written_is_said_once(self):
        agent = Agent(self.broker, settings())
        agent.settings["agent"]["state_dir"] = "/proc/nowhere"
        with agent:
            connected(agent)
            self.assertIn("nothing lasts a restart", agent.log)
            self.subscriber.wait_for("diagnostics", lambda payload: "nothing_kept: /proc/nowhere" in payload["warnings"])
            self.send("smoothing", "2")
            self.newest("smoothing", "2")
            self.send("calibration", "start")
            status = self.subscriber.wait_for("calibration", lambda payload: payload["state"] == "failed")
            self.assertIn("control socket", status["hint"])
            agent.stop()
            self.assertEqual(agent.log.count("nothing lasts a restart"), 1)

    def test_a_simulated_vessel_leaves_what_the_real_one_keeps_alone(self):
        agent = self.agent()
        self.set_everything(agent)
        agent.stop()
        kept = {path: path.read_bytes() for path in (agent.folder / "state").iterdir() if path.is_file()}
        agent.arguments = ["run", "--simulate"]
        agent.start()
        connected(agent, 2)
        self.newest("smoothing", SETTINGS["smoothing"][1])
        self.send("smoothing", "9")
        self.newest("smoothing", "9")
        agent.stop()
        self.assertEqual({path: path.read_bytes() for path in kept}, kept)
        self.assertIn("smoothing = 9", (agent.folder / "state/simulated/state.conf").read_text())

    def test_a_second_agent_in_the_folder_keeps_nothing_and_says_so(self):
        first = self.agent()
        self.send("steer", "100")
        self.saved(first, "course = 100")
        second = Agent(self.broker, settings())
        second.settings["agent"] = {"id": "second", "state_dir": str(first.folder / "state")}
        second.settings["publish"]["base_topic"] = "second"
        with second, Subscriber(self.broker, topics=("second/#",), base="second") as heard:
            connected(second)
            self.assertIn("another agent keeps its state in", second.log)
            heard.client.publish("second/smoothing/set", "9", 1)
            heard.wait_for("smoothing", lambda payload: payload == "9")
            heard.wait_for("diagnostics", lambda payload: "nothing_kept" in payload["warnings"])
            heard.client.publish("second/calibration/set", "start", 1)
            failed = heard.wait_for("calibration", lambda payload: payload["state"] == "failed")
            self.assertIn("another agent", failed["hint"])
            second.stop()
        self.assertNotIn("smoothing", self.state_file(first).read_text())
        self.assertNotIn("second", (first.folder / "state/home-assistant").read_text()
                         if (first.folder / "state/home-assistant").exists() else "")

    def test_a_missing_state_folder_is_made_where_it_can_be(self):
        agent = Agent(self.broker, settings())
        agent.settings["agent"]["state_dir"] = str(agent.folder / "new")
        with agent:
            connected(agent)
            self.send("smoothing", "2")
            wait_until((agent.folder / "new/state.conf").exists, 5, lambda: agent.log)

    def test_the_trip_goes_on_after_a_restart(self):
        agent = self.agent(["--simulate"], gps={"enabled": "yes"})
        before = self.subscriber.wait_for("trip", lambda payload: payload["value"] > 0.01, 60)
        agent.stop()
        agent.start()
        self.subscriber.forget()
        after = self.subscriber.wait_for("trip")
        self.assertGreaterEqual(after["value"], before["value"])
        self.assertEqual(after["since"], before["since"])
        self.assertGreaterEqual(after["max_speed"], before["max_speed"])


class Stored(Commands):
    """Commands that the broker has retained."""

    def test_set_before_the_agent_is_there_they_are_done_once(self):
        for version in "5", "3.1.1":
            with self.subTest(version=version), Broker() as broker, Subscriber(broker) as subscriber, \
                    Link(broker.port) as link:
                self.broker, self.subscriber = broker, subscriber
                self.send("smoothing", "7", retain=True)
                with Agent(broker, settings(mqtt={"port": str(link.port), "version": version})) as agent:
                    subscriber.wait_for("smoothing", lambda payload: payload == "7")
                    # The operator's later change stands, whatever the broker says again at each connect.
                    self.send("smoothing", "3")
                    self.newest("smoothing", "3")
                    link.interrupt()
                    time.sleep(1)
                    self.assertEqual(subscriber.payload("smoothing"), "3")
                    agent.stop()
                    agent.start()
                    time.sleep(2)
                    self.assertEqual(subscriber.payload("smoothing"), "3")

    def test_retained_while_the_agent_listens_they_are_not_done_again(self):
        for version in "5", "3.1.1":
            with self.subTest(version=version), Broker() as broker, Subscriber(broker) as subscriber, \
                    Link(broker.port) as link:
                self.broker, self.subscriber = broker, subscriber
                with Agent(broker, settings(mqtt={"port": str(link.port), "version": version})) as agent:
                    connected(agent)
                    self.send("smoothing", "7", retain=True)
                    self.newest("smoothing", "7")
                    self.send("smoothing", "3")
                    self.newest("smoothing", "3")
                    link.interrupt()
                    time.sleep(1)
                    self.assertEqual(subscriber.payload("smoothing"), "3")

    def test_a_new_one_that_came_while_the_agent_was_away_is_done(self):
        self.send("reference", "magnetic", retain=True)
        agent = self.agent()
        self.newest("reference", "magnetic")
        self.send("reference", "true", retain=True)
        self.newest("reference", "true")
        agent.stop()
        self.send("reference", "magnetic", retain=True)
        agent.start()
        connected(agent, 2)
        self.newest("reference", "magnetic")

    def test_a_stored_one_that_is_taken_away_changes_no_setting(self):
        for version in "5", "3.1.1":
            with self.subTest(version=version), Broker() as broker, Subscriber(broker) as subscriber, \
                    Agent(broker, settings(mqtt={"version": version})) as agent:
                self.broker, self.subscriber = broker, subscriber
                connected(agent)
                self.send("smoothing", "7", retain=True)
                self.newest("smoothing", "7")
                self.send("smoothing", "", retain=True)
                self.send("heading_offset", "5")
                self.newest("heading_offset", "5")
                self.assertEqual(subscriber.payload("smoothing"), "7")

    def test_a_refused_one_is_told_once(self):
        self.send("steer", "abc", retain=True)
        link = self.enterContext(Link(self.broker.port))
        agent = self.agent(mqtt={"port": str(link.port)})
        wait_until(lambda: "command refused" in agent.log, 5, lambda: agent.log)
        link.interrupt()
        time.sleep(1)
        self.assertEqual(agent.log.count("command refused"), 1)


    def test_one_that_is_sent_anew_to_a_broker_that_has_lost_it_is_answered(self):
        self.agent()
        self.send("smoothing", "7", retain=True)
        self.newest("smoothing", "7")
        self.send("smoothing", "3")
        self.newest("smoothing", "3")
        self.broker.kill()
        self.broker.restart()
        with Subscriber(self.broker) as fresh:
            fresh.wait_for("smoothing", lambda payload: payload == "3")
            # What was stored would have come by now.
            time.sleep(3)
            fresh.client.publish(f"{BASE}/smoothing/set", "7", 1, True)
            self.assertIn("send it again", fresh.wait_for("commands/rejected")["reason"])
            fresh.client.publish(f"{BASE}/smoothing/set", "7", 1, True)
            fresh.wait_for("smoothing", lambda payload: payload == "7")


class Broken(Commands):
    def test_after_a_restart_of_the_broker_commands_are_heard_and_states_are_there(self):
        agent = self.agent()
        self.send("steer", "120")
        self.subscriber.wait_for("steer", bool)
        self.broker.kill()
        self.broker.restart()
        with Subscriber(self.broker) as fresh:
            self.assertEqual(fresh.wait_for("steer", seconds=5)["value"], 120.0)
            self.assertEqual(fresh.wait_for("smoothing"), "0.5")
            fresh.client.publish(f"{BASE}/smoothing/set", "9", 1)
            fresh.wait_for("smoothing", lambda payload: payload == "9")

    def test_it_stops_in_time_with_commands_waiting(self):
        agent = self.agent()
        for number in range(500):
            self.subscriber.client.publish(f"{BASE}/steer/set", str(number % 360), 0)
        start = time.monotonic()
        agent.send(signal.SIGTERM)
        self.assertEqual(agent.process.wait(5), 0)
        self.assertLess(time.monotonic() - start, 3)


class Calibration(Commands):
    def test_started_by_a_command_it_is_learned_saved_and_in_force(self):
        tree = self.enterContext(Tree())
        tree.add(0, "i2c-1/1-001e", HMC5883L)
        agent = self.agent(
            magnetometer={"iio_root": str(tree.root), "rate": "30", "mode": "polled"},
            accelerometer={"device": "none"}, gyroscope={"device": "none"})
        status = self.subscriber.wait_for("calibration")
        self.assertEqual((status["state"], status["quality"], status["coverage"]), ("idle", "uncalibrated", None))
        self.subscriber.wait_for("heading/magnetic", lambda heading: heading["quality"] == "uncalibrated")
        with Hand(tree):
            self.send("calibration", "start")
            status = self.subscriber.wait_for("calibration", lambda payload: (payload["coverage"] or 0) > 20, 30)
            self.assertEqual(status["state"], "collecting")
            self.assertTrue(status["hint"])
            self.send("calibration", "start")
            answer = self.subscriber.wait_for("commands/rejected")
            self.assertIn("under way already", answer["reason"])
            done = self.subscriber.wait_for("calibration", lambda payload: payload["state"] != "collecting" and
                                            payload["verdict"], 90)
            self.assertEqual((done["state"], done["verdict"]), ("done", "good"))
            self.subscriber.wait_for("calibration", lambda payload: payload["quality"] == "good")
            self.subscriber.wait_for("heading/magnetic", lambda heading: heading["quality"] != "uncalibrated")
        files = list((agent.folder / "state/calibration").glob("*.conf"))
        self.assertEqual(len(files), 1)
        self.assertIn("[magnetic]", files[0].read_text())

    def test_stopped_too_early_it_says_what_is_missing_and_changes_nothing(self):
        tree = self.enterContext(Tree())
        tree.add(0, "i2c-1/1-001e", HMC5883L)
        agent = self.agent(
            magnetometer={"iio_root": str(tree.root), "mode": "polled"},
            accelerometer={"device": "none"}, gyroscope={"device": "none"})
        self.subscriber.wait_for("heading/magnetic")
        self.send("calibration", "start")
        self.subscriber.wait_for("calibration", lambda payload: payload["state"] == "collecting")
        time.sleep(2)
        self.send("calibration", "stop")
        status = self.subscriber.wait_for("calibration", lambda payload: payload["state"] == "failed")
        self.assertIn("samples", status["hint"])
        self.assertEqual(status["quality"], "uncalibrated")
        self.assertFalse((agent.folder / "state/calibration").exists())


if __name__ == "__main__":
    unittest.main()
