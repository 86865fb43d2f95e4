"""The whole way: the agent on a simulated vessel, a real broker, the dashboard, a browser."""
import contextlib
import unittest

import support_dashboard  # noqa: F401  (finds Tests/System)
from browser import Browser, is_installed
from support import Agent, Broker, Subscriber, wait_until
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
        cls.agent = enter(Agent(cls.broker, {"gps": {"enabled": "yes"}, "publish": {"rate": 10}}, ("run", "--simulate")))
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
        import json
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


if __name__ == "__main__":
    unittest.main()
