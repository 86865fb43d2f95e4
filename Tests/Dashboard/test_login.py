"""The door, as a browser goes through it."""
import unittest

from scene import Scene
from support import wait_until

TOKEN = "correct-horse-7"


class LoginTests(Scene):
    settings = {"token": TOKEN}

    def setUp(self):
        self.vessel.head(45)
        self.browser.cdp("Network.clearBrowserCookies")
        self.browser.open(self.dashboard.url)

    def log_in(self, token):
        self.browser.type("#token", token)
        self.browser.click("form button")

    def test_opens_to_the_token_and_stays_open(self):
        self.assertIsNone(self.browser.text("#dial"))
        self.browser.screenshot("login")
        self.log_in("wrong-token")
        self.browser.wait_text(".advice", "That is not the token.")
        self.log_in(TOKEN)
        self.heading("045°")
        self.assertEqual(self.browser.script("return document.cookie"), "")
        self.browser.open(self.dashboard.url)
        self.heading("045°")

    def test_asks_again_when_the_token_has_changed(self):
        self.log_in(TOKEN)
        self.heading("045°")
        self.dashboard.stop()
        self.dashboard.settings["token"] = "another-horse-8"
        self.addCleanup(self.dashboard.start)
        self.addCleanup(self.dashboard.settings.update, token=TOKEN)
        self.addCleanup(self.dashboard.stop)
        self.dashboard.start()
        wait_until(lambda: self.browser.script("return !!document.getElementById('token')"), 15, "the door is shown")
        self.log_in("another-horse-8")
        self.heading("045°")


if __name__ == "__main__":
    unittest.main()
