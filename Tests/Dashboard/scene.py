"""A scene that stands for all tests of a class: broker, dashboard, a vessel, and a browser that shows it."""
import contextlib
import unittest

import support_dashboard  # noqa: F401  (finds Tests/System)
from browser import CHART_TABLE, Browser, is_installed
from support import Broker
from support_dashboard import Dashboard, Vessel


@unittest.skipUnless(is_installed(), "chromium and chromedriver are not installed")
class Scene(unittest.TestCase):
    settings = {"commands": "yes"}
    size = CHART_TABLE
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        try:
            cls.broker = cls.stack.enter_context(Broker())
            cls.dashboard = cls.stack.enter_context(Dashboard(cls.broker.port, **cls.settings))
            cls.vessel = cls.stack.enter_context(Vessel(cls.broker))
            cls.browser = cls.stack.enter_context(Browser(cls.size, cls.arguments))
        except BaseException:
            cls.stack.close()
            raise

    @classmethod
    def tearDownClass(cls):
        cls.stack.close()

    def open(self, link="Live", **remembered):
        """The page anew, with nothing but `remembered` of what a viewer chose, until the line at the top begins with `link`."""
        self.browser.open(self.dashboard.url + "icon.svg")
        self.browser.script("localStorage.clear(); for (const [k, v] of Object.entries(arguments[0])) localStorage.setItem('compass.' + k, v)", remembered)
        self.browser.open(self.dashboard.url)
        self.browser.wait_text("#link", lambda text: text.startswith(link))

    def heading(self, text, seconds=5):
        self.browser.wait_text("#heading", text, seconds)

    def assertCleanConsole(self):
        self.assertEqual(self.browser.complaints(), [])
