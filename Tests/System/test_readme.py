"""The README's table of topics is what the agent publishes."""
import json
import pathlib
import re
import unittest

from support import Agent, BASE, Broker, Subscriber

PROJECT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| `([a-z_/]+)` \| `(.*)` \|$", re.M)


def kind(value):
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


def is_complete(payload):
    return isinstance(payload, dict) and None not in payload.values()


# What is there only after a command.
COMMANDS = {
    "destination": '{"latitude": 50.31, "longitude": -4.2, "name": "Fowey"}', "steer": "120", "commands": "abc"}


class Readme(unittest.TestCase):
    def test_each_topic_has_the_members_and_units_that_the_table_shows(self):
        rows = dict(ROW.findall((PROJECT / "README.md").read_text()))
        self.assertGreaterEqual(len(rows), 16)
        with Broker() as broker, Subscriber(broker) as subscriber, Agent(
                broker, {"gps": {"enabled": "yes"}, "commands": {"enabled": "yes"}}, ["--simulate"]):
            subscriber.wait_for("position")
            for topic, payload in COMMANDS.items():
                subscriber.client.publish(f"{BASE}/{topic}/set", payload, 1)
            for topic, example in rows.items():
                with self.subTest(topic=topic):
                    self.check(topic, example, subscriber)

    def check(self, topic, example, subscriber):
        if topic.endswith("status"):
            self.assertIn(subscriber.wait_for(topic, lambda payload: True, 10), ["online", "offline"])
            return
        if not example.startswith("{"):
            self.assertEqual(subscriber.wait_for(topic), example)
            return
        expected = json.loads(example)
        published = subscriber.wait_for(topic, bool if None in expected.values() else is_complete, 60)
        self.assertEqual(list(published), list(expected))
        self.assertEqual(published.get("unit"), expected.get("unit"))
        self.assertEqual({k: kind(v) for k, v in published.items()}, {k: kind(v) for k, v in expected.items()})

    def test_it_names_every_topic(self):
        swift = (PROJECT / "Sources/HeadingPipeline/Publish/Topic.swift").read_text()
        topics = set(re.findall(r'case \.\w+: "([a-z_/]+)"', swift))
        readme = (PROJECT / "README.md").read_text()
        self.assertEqual({topic for topic in topics if f"| `{topic}` |" not in readme}, set())

    def test_it_names_every_command(self):
        swift = (PROJECT / "Sources/compass-mqtt/Commands/Command.swift").read_text()
        commands = re.search(r"enum Command.*?\{\s*case ([^\n]+)", swift, re.S).group(1).split(", ")
        readme = (PROJECT / "README.md").read_text()
        for command in commands:
            self.assertRegex(readme, rf"compass-mqtt \[?{command}")

    def test_the_files_it_points_to_are_there(self):
        for text in ["README.md", "CONTRIBUTING.md"]:
            for link in re.findall(r"\]\(([^)#:]+)\)", (PROJECT / text).read_text()):
                self.assertTrue((PROJECT / link).exists(), f"{text}: {link}")


if __name__ == "__main__":
    unittest.main()
