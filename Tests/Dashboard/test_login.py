"""The door, as a browser goes through it."""
import unittest

from scene import Scene
from support import wait_until

TOKEN = "correct-horse-7"


class LoginTests(Scene):
    settings = {"token": TOKEN, "hosts": "boat.example other.example"}
    # As if they stood in the name service.
    arguments = ["--host-resolver-rules=MAP boat.example 127.0.0.1, MAP other.example 127.0.0.1"]

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

    def test_says_that_the_way_is_not_encrypted_where_it_leaves_the_machine(self):
        self.assertFalse(self.browser.is_shown("#unencrypted"))
        self.browser.open(f"http://boat.example:{self.dashboard.port}/")
        wait_until(lambda: self.browser.is_shown("#unencrypted"), 5, "it is said")
        self.assertIn("not encrypted", self.browser.text("#unencrypted"))
        self.browser.screenshot("login-unencrypted")

    def test_a_link_from_another_page_finds_who_follows_it_logged_in(self):
        self.browser.open(f"http://boat.example:{self.dashboard.port}/")
        self.log_in(TOKEN)
        self.heading("045°")
        # Another site's page; the dashboard itself serves one under any of its names.
        self.browser.open(f"http://other.example:{self.dashboard.port}/icon.svg")
        self.browser.script("location.assign(arguments[0])", f"http://boat.example:{self.dashboard.port}/")
        self.browser.wait_text("#heading", "045°")
        self.browser.open(f"http://boat.example:{self.dashboard.port}/")
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
