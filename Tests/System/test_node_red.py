"""The flow for Node-RED: that it is one, and that what it reads and sends is what the agent publishes and takes."""
import json
import pathlib
import re
import shutil
import subprocess
import unittest

from support import BASE, Agent, Broker, Subscriber

FLOWS = pathlib.Path(__file__).resolve().parents[2] / "deploy/node-red/flows.json"
CORE = {"tab", "comment", "function", "mqtt in", "mqtt out", "mqtt-broker"}
DASHBOARD = {"ui-base", "ui-theme", "ui-page", "ui-group", "ui-gauge", "ui-text", "ui-template", "ui-notification", "ui-button",
             "ui-number-input"}
REFERENCES = {"z": "tab", "broker": "mqtt-broker", "group": "ui-group", "page": "ui-page", "ui": "ui-base", "theme": "ui-theme"}
SETTINGS = {"commands": {"enabled": "yes"}, "gps": {"enabled": "yes"}}
NODE = shutil.which("node") or shutil.which("nodejs")
# Runs function nodes: [[code, [messages]], ...] to the messages that each sends, with a context of its own.
RUNNER = """
const memory = () => { const values = {}; return { get: (key) => values[key], set: (key, value) => { values[key] = value; } }; };
const flow = memory();
const sent = JSON.parse(require("fs").readFileSync(0)).map(([code, messages]) => {
    const run = new Function("msg", "context", "flow", code), context = memory();
    return messages.map((message) => run(message, context, flow) ?? null);
});
console.log(JSON.stringify(sent));
"""


class Flow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.nodes = {node["id"]: node for node in json.loads(FLOWS.read_text())}

    def of_type(self, kind):
        return [node for node in self.nodes.values() if node["type"] == kind]

    def listeners(self, node):
        """The nodes that a node's messages go to, by output."""
        return [[self.nodes[target] for target in output] for output in node.get("wires", [])]

    def test_it_is_a_flow_of_core_and_dashboard_nodes(self):
        self.assertEqual(len(self.nodes), len(json.loads(FLOWS.read_text())), "an id stands twice")
        for node in self.nodes.values():
            with self.subTest(node["id"]):
                self.assertIn(node["type"], CORE | DASHBOARD)
                for key, kind in REFERENCES.items():
                    if node.get(key) and not (node["type"] == "mqtt-broker" and key == "broker"):
                        self.assertEqual(self.nodes[node[key]]["type"], kind)
                for output in self.listeners(node):
                    for listener in output:
                        self.assertNotIn(listener["type"], {"mqtt in", "comment"} | set(REFERENCES.values()))
                if node["type"] == "function":
                    self.assertEqual(len(node["wires"]), node["outputs"])

    def test_it_has_a_compass_a_speed_a_warning_and_a_command(self):
        heard = {node["topic"] for node in self.of_type("mqtt in")}
        self.assertLessEqual({f"compass/+/{topic}" for topic in ("heading", "speed", "status")}, heard)
        self.assertTrue(self.of_type("ui-gauge") and self.of_type("ui-notification") and self.of_type("mqtt out"))

    def test_each_topic_and_property_that_it_uses_is_published(self):
        used = 0
        with Broker() as broker, Subscriber(broker) as subscriber, Agent(
                broker, SETTINGS, ["run", "--simulate"]):
            subscriber.wait_for("reference")
            subscriber.client.publish(f"{BASE}/steer/set", "90").wait_for_publish(5)
            for node in self.of_type("mqtt in"):
                topic = node["topic"].removeprefix("compass/+/")
                payload = subscriber.wait_for(topic, bool, 15)
                for output in self.listeners(node):
                    for listener in output:
                        with self.subTest(topic=topic, node=listener["name"]):
                            used += self.check_members(listener, payload)
        self.assertGreater(used, 5)

    def check_members(self, node, payload):
        """What a node reads of a payload, and what those after it read of what it passes on, is there."""
        code = node.get("func", "") + node.get("format", "")
        made = set(re.findall(r"msg\.payload\.(\w+) =[^=]", code))
        if not isinstance(payload, dict):
            return 0
        there = set(payload) | made
        read = set(re.findall(r"msg\??\.payload\??\.(\w+)", code))
        self.assertLessEqual(read, there)
        if node["type"] == "function" and re.search(r"return msg;", code):
            for output in self.listeners(node):
                for listener in output:
                    self.check_members(listener, dict.fromkeys(there))
        return len(read)


@unittest.skipUnless(NODE, "there is no node to run the functions with")
class Functions(unittest.TestCase):
    def run_functions(self, *runs):
        """`runs`: a function node's id and the messages to it; what it sends for each."""
        nodes = {node["id"]: node for node in json.loads(FLOWS.read_text())}
        work = json.dumps([[nodes[name]["func"], messages] for name, messages in runs])
        done = subprocess.run([NODE, "-e", RUNNER], input=work, capture_output=True, text=True, timeout=30)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def turned(self, headings):
        messages = [{"topic": "compass/a/heading", "payload": {"value": heading}} for heading in headings]
        return [message and message["payload"]["turned"] for message in self.run_functions(("compass-turn", messages))[0]]

    def test_the_dial_turns_the_short_way(self):
        self.assertEqual(self.turned([5, 4, 3, 2, 1, 0, 359, 358]), [5, 4, 3, 2, 1, 0, -1, -2])
        self.assertEqual(self.turned([10, 350]), [10, -10])
        self.assertEqual(self.turned([350, None, 10]), [350, None, 370])
        self.assertEqual(self.turned([0, 120, 240, 0]), [0, 120, 240, 360])

    def test_a_warning_comes_once_for_each_change(self):
        def message(path, payload):
            return {"topic": "compass/a/" + path, "payload": payload}

        sent = self.run_functions(("compass-watch", [
            message("status", "online"), message("gps/status", "online"), message("heading", {"quality": "good"}),
            message("heading", {"quality": "degraded"}), message("heading", {"quality": "bad"}),
            message("heading", {"quality": "good"}), message("gps/status", "offline"), message("status", "offline")]))[0]
        texts = [outputs and outputs[0]["payload"] for outputs in sent]
        self.assertEqual(texts, [
            "All is well", None, None, "Low accuracy: move away from metal objects", None, "All is well",
            "No GPS: speed and position are old", "The compass is offline"])
        self.assertIsNone(sent[0][1])
        self.assertEqual(sent[3][1], {"payload": "Low accuracy: move away from metal objects"})

    def test_commands_are_taken_by_the_agent_and_come_back_as_its_state(self):
        *_, steered, cleared, reset = self.run_functions(
            ("compass-base", [{"topic": f"{BASE}/status", "payload": "online"}]), ("compass-steer-to", [{"payload": 95}]),
            ("compass-steer-to", [{"payload": None}]), ("compass-trip-reset", [{"payload": "reset"}]))
        with Broker() as broker, Subscriber(broker) as subscriber, Agent(
                broker, SETTINGS, ["run", "--simulate"]):
            before = subscriber.wait_for("trip")

            def send(messages):
                subscriber.forget()
                subscriber.client.publish(messages[0]["topic"], messages[0]["payload"]).wait_for_publish(5)

            send(steered)
            self.assertEqual(subscriber.wait_for("steer", bool)["value"], 95)
            send(cleared)
            subscriber.wait_for("steer", lambda payload: payload == "")
            send(reset)
            subscriber.wait_for("trip", lambda payload: payload["since"] != before["since"])


if __name__ == "__main__":
    unittest.main()
