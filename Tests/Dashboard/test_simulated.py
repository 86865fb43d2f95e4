"""The whole way: the agent on a simulated vessel, a real broker, the dashboard, a browser."""
import contextlib
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.request

import support_dashboard  # noqa: F401  (finds Tests/System)
from browser import Browser, is_installed
from support import PROJECT, Agent, Broker, Subscriber, free_port, wait_until
from support_dashboard import Dashboard

BASE = "compass/test"


@unittest.skipUnless(is_installed(), "chromium and chromedriver are not installed")
class SimulatedVesselTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        cls.addClassCleanup(cls.stack.close)
        enter = cls.stack.enter_context
        cls.broker = enter(Broker())
        cls.agent = enter(Agent(cls.broker, {"gps": {"enabled": "yes"}, "publish": {"rate": 10}, "commands": {"enabled": "yes"}}, ("run", "--simulate")))
        cls.subscriber = enter(Subscriber(cls.broker))
        cls.dashboard = enter(Dashboard(cls.broker.port, commands="yes"))
        cls.browser = enter(Browser())
        cls.browser.open(cls.dashboard.url)
        cls.browser.wait_text("#link", "Live")

    def test_the_heading_on_the_page_is_the_heading_on_the_topic(self):
        self.subscriber.wait_for("heading")

        def agrees():
            shown = self.browser.text("#heading")
            told = {f"{round(message['value']) % 360:03}°" for message in map(self.decode, self.subscriber.of("heading")[-8:])}
            return shown in told
        for _ in range(10):
            wait_until(agrees, 3, lambda: f"{self.browser.text('#heading')} is on the topic")

    @staticmethod
    def decode(message):
        return json.loads(message.payload)

    def test_the_rose_turns_with_the_vessel(self):
        rose = "return document.getElementById('rose').getAttribute('transform')"
        seen = set()
        wait_until(lambda: seen.add(self.browser.script(rose)) or len(seen) > 20, 30, lambda: f"the rose turns: {seen}")

    def test_every_reading_arrives(self):
        for selector in "#speed", "#course .figure", "#rate .figure", "#roll .figure", "#pitch .figure", "#position .figure", "#accuracy-text":
            self.browser.wait_text(selector, lambda text: any(letter.isdigit() for letter in text), 20)
        self.assertEqual(self.browser.complaints(), [])
        self.browser.screenshot("simulated")

    def test_a_course_dragged_on_the_dial_is_what_the_vessel_steers(self):
        wait_until(lambda: self.browser.script("return !document.getElementById('steer-less').disabled"), 20, "the vessel takes commands")
        bug = self.browser.script("const b = document.querySelector('#bug .mark-steer').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]")
        x, y, radius = self.browser.script("const b = document.getElementById('dial').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2, b.width * 190 / 412]")
        goal = x + radius * math.sin(math.radians(50)), y - radius * math.cos(math.radians(50))
        self.browser.pointer(("move", *bug), ("down",), ("move", *goal), ("pause", 300), ("up",))
        sent = self.subscriber.wait_for("steer/set")
        told = self.subscriber.wait_for("steer", lambda payload: payload and payload["value"] == sent["value"])
        self.browser.wait_text("#steer-value", f"{round(told['value']):03}°")
        self.browser.wait_for_script("await new Promise((done) => setTimeout(done, 4500))")
        self.assertEqual(self.browser.text("#steer-note"), "")
        self.assertRegex(self.browser.text("#steer-error"), r"^(\d+° (port|stbd)|on course)$")
        self.browser.click("#steer-clear")
        self.browser.wait_text("#steer-value", "–")

    def test_the_reset_reaches_the_vessel_and_the_switch_does_not(self):
        wait_until(lambda: self.browser.script("return !document.getElementById('steer-less').disabled"), 20, "the vessel takes commands")
        self.browser.wait_text("#reference-shown", "TRUE", 20)
        self.browser.click("#reference [data-value=magnetic]")
        self.browser.wait_text("#reference-shown", "MAGNETIC")
        before = self.subscriber.wait_for("trip")["since"]
        for _ in range(2):
            self.browser.click("#speed-reset")
        self.subscriber.wait_for("trip", lambda payload: payload["since"] > before)
        # What one viewer looks at is nobody else's matter.
        self.assertEqual(self.subscriber.payload("reference"), "true")


class DemonstrationTests(unittest.TestCase):
    def test_make_run_prints_the_dashboards_address_and_it_answers_there(self):
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            config = pathlib.Path(folder) / "compass-mqtt.conf"
            # Nobody listens there, so that a broker of its own is started.
            config.write_text(f"[mqtt]\nport = {free_port()}\n[dashboard]\nport = {free_port()}\n")
            # What `make run` runs once all is built.
            run = subprocess.Popen([PROJECT / "tools/run"], stdout=subprocess.PIPE, text=True, env={**os.environ, "CONFIG": str(config)})
            stack.callback(run.wait, 20)
            stack.callback(run.terminate)
            first = run.stdout.readline()
            address = re.search(r"dashboard (http://127\.0\.0\.1:\d+/)", first)
            self.assertTrue(address, first)

            def page():
                try:
                    return urllib.request.urlopen(address[1], timeout=5).read()
                except OSError:
                    return b""
            wait_until(lambda: b'id="dial"' in page(), 10, "the page is there")
            stream = urllib.request.urlopen(address[1] + "events", timeout=10)
            wait_until(lambda: b'"topic":"heading"' in stream.readline(), 20, "the simulated vessel is on it")
            stream.close()


if __name__ == "__main__":
    unittest.main()
