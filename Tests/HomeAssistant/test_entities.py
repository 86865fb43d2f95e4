"""What the real Home Assistant makes of the agent on a simulated vessel: every entity, its state and unit, no complaint in the log,
and what is left when one of the two is gone."""
import contextlib
import re
import time
import unittest

from home_assistant import HomeAssistant
from support import BASE, Agent, Broker, Subscriber, wait_until

NUMBER = re.compile(r"-?\d+(\.\d+)?")
# Entity: unit, category; and what its state looks like.
SENSORS = {
    "heading": ("°", None), "heading_magnetic": ("°", None), "heading_true": ("°", None), "course": ("°", None),
    "speed": ("kn", None), "rate_of_turn": ("°/min", None), "roll": ("°", None), "pitch": ("°", None),
    "declination": ("°", None),
    "heading_accuracy": ("°", "diagnostic"), "heading_magnetic_accuracy": ("°", "diagnostic"),
    "heading_true_accuracy": ("°", "diagnostic"), "course_accuracy": ("°", "diagnostic"),
    "speed_accuracy": ("kn", "diagnostic"), "rate_of_turn_accuracy": ("°/min", "diagnostic"),
    "roll_accuracy": ("°", "diagnostic"), "pitch_accuracy": ("°", "diagnostic"),
    "declination_accuracy": ("°", "diagnostic"), "field_accuracy": ("µT", "diagnostic"),
    "position_accuracy": ("m", "diagnostic"), "field": ("µT", "diagnostic"), "satellites": (None, "diagnostic"),
    "sample_rate": ("Hz", "diagnostic"),
    # Home Assistant shows distances in kilometres where it is metric.
    "max_speed": ("kn", None), "trip_distance": ("km", None),
}
WORDS = {
    "sensor.test_fix": {"3d"},
    "binary_sensor.test_interference": {"off"}, "binary_sensor.test_low_accuracy": {"off"},
    "binary_sensor.test_model_expired": {"off"}, "binary_sensor.test_gps": {"on"},
    "binary_sensor.test_magnetometer": {"on"}, "device_tracker.test_position": {"not_home", "home"},
    "sensor.test_calibration_quality": {"configured"}, "sensor.test_calibration": {"idle"},
    "select.test_reference": {"true"}, "number.test_smoothing": {"0.5"}, "number.test_heading_offset": {"0"},
}
# What has no state until a person sets something, and what never has one.
UNSET = {
    "sensor.test_destination_bearing", "sensor.test_destination_distance", "sensor.test_steering_error",
    "number.test_course_to_steer", "text.test_destination",
    *(f"button.test_{key}" for key in (
        "clear_course", "clear_destination", "reset_trip", "start_calibration", "stop_calibration")),
}
SETTINGS = {"mqtt": {"keepalive": "5"}, "gps": {"enabled": "yes"}, "commands": {"enabled": "yes"}}


class Entities(unittest.TestCase):
    """One Home Assistant for all: each test begins and ends with a live agent."""

    @classmethod
    def setUpClass(cls):
        cls.broker = cls.enterClassContext(Broker())
        cls.home = cls.enterClassContext(HomeAssistant(cls.broker))
        cls.agent = cls.enterClassContext(Agent(cls.broker, SETTINGS, ["run", "--simulate"]))

    def wait_until_all_are_there(self, seconds):
        def missing():
            states = self.home.states()
            return [entity for entity in [*WORDS, *(f"sensor.test_{key}" for key in SENSORS)]
                    if states.get(entity) in (None, "unavailable", "unknown")]
        wait_until(lambda: not missing(), seconds, lambda: f"still missing: {missing()}")

    def tracker(self):
        return self.home.found()["entities"]["device_tracker.test_position"]["attributes"]

    def complaints(self):
        """But for those about a broker that a test has killed."""
        client = "components.mqtt.client]", "components/mqtt/client.py"
        return [entry for entry in self.home.found()["log"] if not any(name in entry for name in client)]

    def test_every_entity_has_its_state_and_unit_and_nothing_is_complained_about(self):
        self.wait_until_all_are_there(15)
        # The first diagnostics come before the first rates.
        self.home.wait_for("sensor.test_sample_rate", lambda state: 15 < float(state) < 25, 15)
        found = self.home.found()
        self.assertEqual([device["name"] for device in found["devices"]], ["Compass test"])
        entities = found["entities"]
        self.assertEqual(set(entities), {*WORDS, *UNSET, *(f"sensor.test_{key}" for key in SENSORS)})
        for key, (unit, category) in SENSORS.items():
            with self.subTest(key):
                entity = entities[f"sensor.test_{key}"]
                self.assertRegex(entity["state"], NUMBER)
                self.assertEqual((entity["unit"], entity["category"]), (unit, category))
                self.assertEqual(entity["unique_id"], f"compass_test_{key}")
        for entity, words in WORDS.items():
            with self.subTest(entity):
                self.assertIn(entities[entity]["state"], words)
        for entity in UNSET:
            with self.subTest(entity):
                self.assertIn(entities[entity]["state"], {"unknown", ""})
        self.assertEqual(self.complaints(), [])

    def test_states_are_those_of_the_topics(self):
        self.wait_until_all_are_there(15)
        with Subscriber(self.broker) as subscriber:
            for topic, member, entity, tolerance in [
                    ("heading", "value", "heading", 6), ("speed", "value", "speed", 0.3),
                    ("declination", "value", "declination", 0), ("field", "value", "field", 3),
                    ("position", "satellites", "satellites", 0)]:
                payload = subscriber.wait_for(topic)
                state = float(self.home.state(f"sensor.test_{entity}"))
                off = abs((state - payload[member] + 180) % 360 - 180)
                self.assertLessEqual(off, tolerance, entity)
            attributes = self.tracker()
            position = subscriber.wait_for("position")
            for name in "latitude", "longitude":
                self.assertAlmostEqual(attributes[name], position[name], delta=0.01)
            self.assertGreaterEqual(attributes["gps_accuracy"], 1)
            self.assertEqual(attributes["fix"], "3d")

    def test_a_receiver_that_is_lost_takes_its_own_entities_only(self):
        self.wait_until_all_are_there(15)
        with self.paused_agent() as say:
            say("gps/status", "offline")
            for entity in "sensor.test_speed", "sensor.test_course", "device_tracker.test_position", "sensor.test_fix":
                self.home.wait_for(entity, lambda state: state == "unavailable", 2)
            self.assertEqual(self.tracker().keys() & {"latitude", "longitude", "gps_accuracy"}, set())
            self.home.wait_for("binary_sensor.test_gps", lambda state: state == "off", 2)
            self.assertRegex(self.home.state("sensor.test_heading"), NUMBER)
            say("gps/status", "online")
            self.home.wait_for("sensor.test_speed", NUMBER.match, 2)

    def test_a_value_that_nobody_knows_is_unknown_and_harms_no_other(self):
        self.wait_until_all_are_there(15)
        with self.paused_agent() as say:
            say("course", '{"value":null,"unit":"°","accuracy":null,"time":null}')
            self.home.wait_for("sensor.test_course", lambda state: state == "unknown", 2)
            say("field", '{"value":48.2,"unit":"µT","accuracy":null,"time":null,"inclination":null,"expected":null,'
                         '"expected_inclination":null,"interference":true}')
            self.home.wait_for("binary_sensor.test_interference", lambda state: state == "on", 2)
            self.assertEqual(self.home.state("sensor.test_field_accuracy"), "unknown")
            self.assertEqual(self.home.state("sensor.test_field"), "48.2")
            hint = self.home.found()["entities"]["binary_sensor.test_interference"]["attributes"]["hint"]
            self.assertEqual(hint, "move away from metal objects")
            # Better than a tracker may be.
            say("position", '{"latitude":50.1,"longitude":-4.2,"gps_accuracy":0.0,"altitude":null,"fix":"2d","satellites":null,'
                            '"time":null}')
            wait_until(lambda: self.tracker().get("gps_accuracy") == 1, 5, lambda: self.tracker())
            self.home.wait_for("sensor.test_fix", lambda state: state == "2d", 2)
            self.assertEqual(self.home.state("sensor.test_satellites"), "unknown")
            # Taken away, as at the start of an agent that has no position yet.
            say("declination", "")
            for entity in "sensor.test_declination", "binary_sensor.test_model_expired":
                self.home.wait_for(entity, lambda state: state == "unknown", 2)
        self.assertEqual(self.complaints(), [])

    @contextlib.contextmanager
    def paused_agent(self):
        """The agent says nothing for a while, and a test speaks for it; all of it is undone by a restart of the agent."""
        with Subscriber(self.broker) as client:
            self.agent.pause()
            try:
                yield lambda topic, payload: client.client.publish(
                    f"{BASE}/{topic}", payload, retain=True).wait_for_publish(5)
            finally:
                self.agent.kill()
                self.agent.start()
        self.wait_until_all_are_there(12)

    def test_directions_have_circular_statistics(self):
        self.wait_until_all_are_there(15)
        statistics = {entry["statistic_id"]: entry for entry in self.home.found()["statistics"]}
        # 2: the circular mean.
        self.assertEqual(statistics["sensor.test_heading"].get("mean_type"), 2)
        self.assertEqual(statistics["sensor.test_roll"].get("mean_type"), 1)

    def test_all_are_unavailable_when_the_agent_is_killed_and_back_within_12_seconds_of_its_start(self):
        self.wait_until_all_are_there(15)
        self.agent.kill()
        self.assertEqual(set(self.states_soon("unavailable", 3)), {"unavailable"})
        self.agent.start()
        self.wait_until_all_are_there(12)
        self.assertEqual(self.complaints(), [])

    def states_soon(self, word, seconds):
        """The states of all entities, once one of them is `word`."""
        self.home.wait_for("sensor.test_heading", lambda state: state == word, seconds)
        time.sleep(0.5)
        return [state for entity, state in self.home.states().items() if ".test_" in entity]

    def test_all_are_back_within_12_seconds_of_a_restart_of_home_assistant(self):
        self.wait_until_all_are_there(15)
        self.home.restart()
        self.wait_until_all_are_there(12)
        self.assertEqual(self.complaints(), [])

    def test_restarted_without_the_agent_home_assistant_shows_nothing_stale(self):
        self.wait_until_all_are_there(15)
        self.agent.kill()
        self.home.restart()
        self.assertEqual(set(self.states_soon("unavailable", 12)), {"unavailable"})
        self.agent.start()
        self.wait_until_all_are_there(12)

    def test_a_broker_that_lost_its_memory_and_home_assistant_find_everything_again(self):
        self.wait_until_all_are_there(15)
        self.broker.kill()
        self.broker.restart()
        self.wait_until_all_are_there(20)
        self.assertEqual(self.complaints(), [])


if __name__ == "__main__":
    unittest.main()
