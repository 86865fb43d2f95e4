"""How the agent shows itself to Home Assistant, seen from the broker: one retained message, its place in the order, what happens
at a birth, and what becomes of what is there no more. What the real Home Assistant makes of it: Tests/HomeAssistant."""
import re
import time
import unittest

from sensors import HMC5883L, MPU6050, Tree
from support import BASE, Agent, Broker, Subscriber, decode, wait_until

TOPIC = "homeassistant/device/compass_test/config"
BIRTH = "homeassistant/status"
EVERYTHING = (BASE + "/#", "homeassistant/device/#")


def discovery(subscriber, seconds=5, accept=lambda payload: bool(payload)):
    return subscriber.wait_for(TOPIC, accept, seconds)


def record(agent):
    """What the agent remembers of it."""
    path = agent.state / "home-assistant"
    return path.read_text() if path.exists() else ""


def kept(broker, topic):
    """The retained payload of a topic; None: there is none."""
    with Subscriber(broker, (topic,)) as late:
        time.sleep(0.3)
        return decode(late.messages[0].payload) if late.messages else None


class Discovery(unittest.TestCase):
    def test_one_retained_message_comes_before_every_status_and_value(self):
        with Broker() as broker, Subscriber(broker, EVERYTHING) as subscriber, \
                Agent(broker, arguments=["run", "--simulate"]) as agent:
            message = discovery(subscriber)
            subscriber.wait_for("heading", seconds=5)
            self.assertEqual(subscriber.messages[0].topic, TOPIC)
            self.assertEqual(subscriber.messages[1].topic, "status")
            self.assertEqual(message["dev"]["ids"], ["compass_test"])
            self.assertIn("heading", message["cmps"])
            # The simulated vessel has all sensors, which show a moment later.
            discovery(subscriber, accept=lambda payload: payload and "roll" in payload["cmps"])
            self.assertIn("roll", kept(broker, TOPIC)["cmps"])
            wait_until(lambda: "component roll sensor" in record(agent), 10, "it is remembered")

    def test_switched_off_nothing_is_said_and_what_was_said_is_taken_back(self):
        with Broker() as broker, Agent(broker) as agent:
            with Subscriber(broker, EVERYTHING) as subscriber:
                discovery(subscriber)
                wait_until(lambda: record(agent), 10, "it is remembered")
            agent.stop()
            agent.settings["home_assistant"] = {"discovery": "no"}
            agent.start()
            with Subscriber(broker, EVERYTHING) as subscriber:
                wait_until(lambda: kept(broker, TOPIC) is None, 5, "the device is taken away")
                wait_until(lambda: not record(agent), 10, "it is forgotten")
                self.assertFalse(any(message.payload for message in subscriber.of(TOPIC) if not message.retained))

    def test_a_destination_is_typed_as_it_is_shown(self):
        with Broker() as broker, Subscriber(broker, EVERYTHING) as subscriber, \
                Agent(broker, {"commands": {"enabled": "yes"}}):
            # Home Assistant matches it with Python's own re.
            pattern = re.compile(discovery(subscriber)["cmps"]["destination"]["ptrn"])
            for text in ["", " ", "50.3275, -4.6357, Fowey", "50,-4", "-0.00001, 0.0000123", "-90, 180, " + "ö" * 100,
                         "1,2,", "1, 2, a, b"]:
                self.assertTrue(pattern.match(text), text)
            for text in ["Fowey", "50.3", "1e-05, 2", "50,3; 4", "50.3 N, 4 W", "1, 2, " + "x" * 101]:
                self.assertFalse(pattern.match(text), text)

    def test_another_prefix(self):
        with Broker() as broker, Subscriber(broker, ("ha/#",)) as subscriber, \
                Agent(broker, {"home_assistant": {"prefix": "ha"}}):
            subscriber.wait_for("ha/device/compass_test/config", bool, 5)


class Changes(unittest.TestCase):
    def test_a_changed_id_empties_the_old_topic(self):
        with Broker() as broker, Agent(broker) as agent:
            wait_until(lambda: TOPIC in record(agent), 10, "it is remembered")
            agent.stop()
            agent.settings["agent"]["id"] = "other"
            agent.start()
            wait_until(lambda: kept(broker, TOPIC) is None, 5, "the old topic is empty")
            self.assertEqual(kept(broker, TOPIC.replace("test", "other"))["dev"]["ids"], ["compass_other"])
            wait_until(lambda: TOPIC not in record(agent), 10, "the new one is remembered")

    def test_a_component_that_is_gone_is_removed_once_then_left_out(self):
        with Broker() as broker, Tree() as tree, \
                Agent(broker, {"magnetometer": {"iio_root": str(tree.root)}}) as agent:
            tree.add(0, "i2c-1/1-001e", HMC5883L)
            tree.add(1, "i2c-1/1-0068", MPU6050)
            wait_until(lambda: "component roll sensor" in record(agent), 20, "the accelerometer is remembered")
            agent.stop()
            agent.settings["accelerometer"] = {"device": "none"}
            agent.start()
            with Subscriber(broker, EVERYTHING) as subscriber:
                message = discovery(subscriber, accept=lambda payload: payload and "unit_of_meas" not in payload["cmps"]["roll"])
                self.assertEqual(message["cmps"]["roll"], {"p": "sensor"})
                self.assertIn("rate_of_turn", message["cmps"])
            wait_until(lambda: "roll" not in record(agent), 10, "it is forgotten")
            agent.stop()
            agent.start()
            with Subscriber(broker, EVERYTHING) as subscriber:
                discovery(subscriber, accept=lambda payload: payload and "roll" not in payload["cmps"])


class Birth(unittest.TestCase):
    def test_everything_is_sent_again_once_within_12_seconds(self):
        with Broker() as broker, Agent(broker, arguments=["run", "--simulate"]) as agent, \
                Subscriber(broker, EVERYTHING) as subscriber:
            wait_until(lambda: "component roll sensor" in record(agent), 15, "all sensors are announced")
            subscriber.forget()
            started = time.monotonic()
            for _ in range(3):
                subscriber.client.publish(BIRTH, "online").wait_for_publish(5)
            discovery(subscriber, 12)
            self.assertGreater(time.monotonic() - started, 1)
            seen = [message.topic for message in subscriber.messages]
            self.assertNotIn("status", seen[:seen.index(TOPIC)])
            subscriber.wait_for("diagnostics", seconds=1)
            for status in "status", "accelerometer/status", "magnetometer/status":
                self.assertEqual(subscriber.payload(status), "online")
            time.sleep(3)
            self.assertEqual(len(subscriber.of(TOPIC)), 1)

    def test_another_word_or_an_old_one_is_no_birth(self):
        with Broker() as broker, Subscriber(broker, EVERYTHING) as subscriber:
            subscriber.client.publish(BIRTH, "online", retain=True).wait_for_publish(5)
            with Agent(broker):
                discovery(subscriber)
                subscriber.client.publish(BIRTH, "offline").wait_for_publish(5)
                subscriber.forget()
                time.sleep(11.5)
                self.assertEqual(subscriber.of(TOPIC), [])


if __name__ == "__main__":
    unittest.main()
