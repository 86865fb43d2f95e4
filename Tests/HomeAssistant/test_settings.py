"""What a person sets in the real Home Assistant changes the agent, and comes back as the state; and what becomes of entities when the
agent's settings change."""
import unittest

from home_assistant import HomeAssistant
from support import Agent, Broker, Subscriber, wait_until

SETTINGS = {"gps": {"enabled": "yes"}, "commands": {"enabled": "yes"}}
SIMULATE = ["run", "--simulate"]


def complaints(home):
    return [entry for entry in home.found()["log"] if "components.mqtt.client]" not in entry]


class Settings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.broker = cls.enterClassContext(Broker())
        cls.home = cls.enterClassContext(HomeAssistant(cls.broker))
        cls.agent = cls.enterClassContext(Agent(cls.broker, SETTINGS, SIMULATE))
        cls.subscriber = cls.enterClassContext(Subscriber(cls.broker))
        cls.home.wait_for("number.test_smoothing", lambda state: state == "0.5", 15)
        cls.home.wait_for("sensor.test_speed", lambda state: state[0].isdigit(), 15)

    def setUp(self):
        self.subscriber.forget()

    def tearDown(self):
        self.assertEqual(complaints(self.home), [])

    def wait_for(self, key, state, seconds=5):
        accept = state if callable(state) else lambda found: found == state
        return self.home.wait_for(key, accept, seconds)

    def test_reference(self):
        for word in "magnetic", "true":
            self.home.call("select.select_option", "select.test_reference", option=word)
            self.subscriber.wait_for("heading", lambda payload, word=word: payload["reference"] == word)
            self.wait_for("select.test_reference", word)

    def test_numbers(self):
        for entity, topic, value in [
                ("smoothing", "smoothing", 2.5), ("smoothing", "smoothing", 0.5),
                ("heading_offset", "heading_offset", -12.5), ("heading_offset", "heading_offset", 0)]:
            with self.subTest(entity, value=value):
                self.home.call("number.set_value", f"number.test_{entity}", value=value)
                self.subscriber.wait_for(topic, lambda payload, value=value: float(payload) == value)
                self.wait_for(f"number.test_{entity}", lambda state, value=value: float(state) == value)

    def test_course_to_steer_and_none(self):
        self.home.call("number.set_value", "number.test_course_to_steer", value=95)
        self.assertEqual(self.subscriber.wait_for("steer", bool)["value"], 95)
        self.wait_for("number.test_course_to_steer", "95")
        error = float(self.wait_for("sensor.test_steering_error", lambda state: state != "unknown"))
        self.assertTrue(-180 <= error <= 180)
        # Set elsewhere, between the last whole degree and north.
        self.subscriber.client.publish(self.subscriber.base + "steer/set", "359.7")
        self.wait_for("number.test_course_to_steer", "0")
        self.home.call("button.press", "button.test_clear_course")
        self.subscriber.wait_for("steer", lambda payload: payload == "")
        for entity in "number.test_course_to_steer", "sensor.test_steering_error":
            self.wait_for(entity, "unknown")

    def test_destination_and_none(self):
        self.home.call("text.set_value", "text.test_destination", value="50.3275, -4.6357, Fowey")
        payload = self.subscriber.wait_for("destination", lambda payload: payload and payload["distance"])
        self.assertEqual((payload["latitude"], payload["longitude"], payload["name"]), (50.3275, -4.6357, "Fowey"))
        self.wait_for("text.test_destination", "50.3275, -4.6357, Fowey")
        bearing = float(self.wait_for("sensor.test_destination_bearing", lambda state: state != "unknown"))
        self.assertAlmostEqual(bearing, payload["bearing"], delta=5)
        # Home Assistant is metric: 1.852 km in a nautical mile.
        distance = float(self.wait_for("sensor.test_destination_distance", lambda state: state != "unknown"))
        self.assertAlmostEqual(distance, payload["distance"] * 1.852, delta=0.5)
        # The smallest and the longest that there are.
        for typed, shown in [("50.1,-4.2", "50.1, -4.2"), ("0.00001,-0.0000123", "0.00001, -0.0000123"),
                             ("-90, 100," + "ö" * 100, "-90, 100, " + "ö" * 100)]:
            self.home.call("text.set_value", "text.test_destination", value=typed)
            self.wait_for("text.test_destination", shown)
        self.home.call("text.set_value", "text.test_destination", value="")
        self.wait_for("text.test_destination", "")
        self.wait_for("sensor.test_destination_bearing", "unknown")
        self.home.call("text.set_value", "text.test_destination", value="50.1,-4.2")
        self.wait_for("text.test_destination", "50.1, -4.2")
        self.home.call("button.press", "button.test_clear_destination")
        self.wait_for("text.test_destination", "")

    def test_reset_trip(self):
        before = self.subscriber.wait_for("trip", seconds=70)
        self.home.call("button.press", "button.test_reset_trip")
        self.subscriber.wait_for("trip", lambda payload: payload["since"] != before["since"])
        self.wait_for("sensor.test_trip_distance", lambda state: float(state) < 0.1)

    def test_start_and_stop_calibration(self):
        self.home.call("button.press", "button.test_start_calibration")
        self.wait_for("sensor.test_calibration", "collecting")
        self.home.call("button.press", "button.test_stop_calibration")
        self.wait_for("sensor.test_calibration", lambda state: state in ("done", "failed"), 10)


class Changes(unittest.TestCase):
    def test_what_is_gone_goes_and_what_comes_comes(self):
        with Broker() as broker, HomeAssistant(broker) as home, Agent(broker, SETTINGS, SIMULATE) as agent:
            home.wait_for("sensor.test_roll", lambda state: state[-1].isdigit(), 15)
            wait_until(lambda: (agent.state / "home-assistant").exists(), 10, "it is remembered")

            # Commands switched off: their entities go, the others stay.
            self.restart(agent, "commands", "enabled", "no")
            wait_until(lambda: "select.test_reference" not in home.states(), 10, "the settings are gone")
            home.wait_for("sensor.test_roll", lambda state: state[-1].isdigit(), 10)
            home.restart()
            self.assertNotIn("select.test_reference", home.found()["entities"])
            self.restart(agent, "commands", "enabled", "yes")
            home.wait_for("select.test_reference", lambda state: state == "true", 10)
            self.assertEqual(complaints(home), [])

            # Another id: the old device goes, the new one is there under names of its own.
            wait_until(lambda: "component reference select" in (agent.state / "home-assistant").read_text(), 10, "remembered")
            self.restart(agent, "agent", "id", "other")
            home.wait_for("sensor.other_roll", lambda state: state[-1].isdigit(), 10)
            wait_until(lambda: "sensor.test_roll" not in home.states(), 10, "the old device is gone")
            found = home.found()
            self.assertEqual([device["identifiers"] for device in found["devices"]], [[["mqtt", "compass_other"]]])
            self.assertEqual(complaints(home), [])

    def restart(self, agent, section, key, value):
        agent.stop()
        agent.settings[section][key] = value
        agent.start()


if __name__ == "__main__":
    unittest.main()
