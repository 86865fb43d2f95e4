"""The destination, set and cleared from the page."""
import json
import unittest

from scene import Scene
from support import wait_until

FOWEY = {"name": "Fowey", "latitude": 50.3275123, "longitude": -4.6357456, "bearing": 81.0, "distance": 16.79, "distance_unit": "nmi"}


class DestinationTests(Scene):
    def setUp(self):
        self.vessel.commands.clear()
        self.vessel.head(40)
        self.vessel.say("destination", None)
        self.open()
        self.heading("040°")
        wait_until(lambda: self.browser.script("return !document.getElementById('goal-open').disabled"), 5, "a destination can be set")

    def fill(self, name, latitude, longitude):
        for field, text in ("name", name), ("latitude", latitude), ("longitude", longitude):
            self.browser.type(f"#goal-{field}", text)

    def is_open(self):
        return self.browser.script("return document.getElementById('goal').open")

    def sent(self):
        wait_until(lambda: self.vessel.commands, 5, "a command comes")
        topic, payload = self.vessel.commands[-1]
        self.assertEqual(topic, "destination/set")
        return json.loads(payload) if payload else None

    def test_is_set_and_closes_when_the_vessel_confirms_it(self):
        self.browser.click("#goal-open")
        self.fill("Fowey", "50°19.650′ N", "4 38.142 W")
        self.browser.screenshot("destination")
        self.browser.click("#goal-set")
        # 19.650 / 60 = 0.3275, 38.142 / 60 = 0.6357.
        self.assertEqual(self.sent(), {"name": "Fowey", "latitude": 50.3275, "longitude": -4.6357})
        self.assertTrue(self.is_open())
        self.vessel.say("destination", {**FOWEY, "latitude": 50.3275, "longitude": -4.6357})
        wait_until(lambda: not self.is_open(), 3, "the form closes")
        self.browser.wait_text("#destination h2", "Fowey")

    def test_is_set_by_keyboard(self):
        self.browser.script("document.getElementById('goal-open').focus()")
        self.browser.press("\ue007")
        wait_until(self.is_open, 3, "the form opens")
        self.assertEqual(self.browser.script("return document.activeElement.id"), "goal-name")
        for text in "A", "1", "-2.5":
            self.browser.press(*text, "\ue004")
        self.assertEqual(self.browser.script("return document.activeElement.id"), "goal-set")
        self.browser.press("\ue007")
        self.assertEqual(self.sent(), {"name": "A", "latitude": 1, "longitude": -2.5})
        self.browser.press("\ue00c")
        wait_until(lambda: not self.is_open(), 3, "Escape closes it")
        self.assertEqual(self.browser.script("return document.activeElement.id"), "goal-open")

    def test_is_changed_without_losing_what_was_not_touched(self):
        self.vessel.say("destination", FOWEY)
        self.browser.wait_text("#destination h2", "Fowey")
        self.browser.click("#goal-open")
        shown = [self.browser.script(f"return document.getElementById('goal-{field}').value") for field in ("name", "latitude", "longitude")]
        self.assertEqual(shown, ["Fowey", "50°19.651′ N", "004°38.145′ W"])
        self.browser.type("#goal-name", "Fowey Harbour")
        self.browser.click("#goal-set")
        self.assertEqual(self.sent(), {"name": "Fowey Harbour", "latitude": 50.3275123, "longitude": -4.6357456})

    def test_is_cleared(self):
        self.browser.click("#goal-open")
        self.assertTrue(self.browser.script("return document.getElementById('goal-clear').disabled"))
        self.browser.click("#goal-cancel")
        self.vessel.say("destination", FOWEY)
        self.browser.wait_text("#destination h2", "Fowey")
        self.browser.click("#goal-open")
        self.browser.click("#goal-clear")
        self.assertIsNone(self.sent())
        self.vessel.say("destination", None)
        wait_until(lambda: not self.is_open(), 3, "the form closes")
        self.browser.wait_text("#destination .below", "none set")

    def test_refuses_what_the_agent_would_refuse(self):
        cases = [
            ("", "90.1", "0", "latitude"), ("", "north", "0", "latitude"), ("", "", "0", "latitude"), ("", "50 N", "180°00.01′ E", "longitude"),
            ("", "50 N", "4 60 W", "longitude"), ("", "50 W", "4 W", "latitude"), ("x" * 101, "50 N", "4 W", "name"),
        ]
        self.browser.click("#goal-open")
        for name, latitude, longitude, fault in cases:
            with self.subTest(latitude=latitude, longitude=longitude):
                self.fill(name, latitude, longitude)
                self.browser.click("#goal-set")
                self.browser.wait_text("#goal-note", lambda text: text.startswith(f"A {fault} "))
                self.assertEqual(self.browser.attribute(f"#goal-{fault}", "aria-invalid"), "true")
                self.assertEqual(self.browser.script("return document.activeElement.id"), f"goal-{fault}")
        self.assertEqual(self.vessel.commands, [])

    def test_says_what_the_vessel_refused_and_what_it_did_not_confirm(self):
        self.browser.click("#goal-open")
        self.fill("", "1", "2")
        self.browser.click("#goal-set")
        self.sent()
        self.vessel.say("commands/rejected", {"topic": "destination/set", "payload": "", "reason": "the chart is closed"}, retain=False)
        self.browser.wait_text("#goal-note", lambda text: "the chart is closed" in text)
        self.browser.click("#goal-set")
        self.browser.wait_text("#goal-note", "The vessel has not confirmed it.", 8)
        self.assertTrue(self.is_open())

    def test_coordinates_are_read_as_people_write_them(self):
        cases = [
            ("50.3275", "NS", 50.3275), ("-4.6357", "EW", -4.6357), ("−4.6357", "EW", -4.6357), ("4,5 w", "EW", -4.5), ("W 4 30", "EW", -4.5),
            ("50°18.015′ N", "NS", 50.30025), ("33 51 30 S", "NS", -33.858333333333334), ("33°51'30\"S", "NS", -33.858333333333334), ("0", "NS", 0),
            ("50.5 18", "NS", None), ("50 18.5 3", "NS", None), ("-4 W", "EW", None), ("N 50 N", "NS", None), ("50, 4", "NS", None), ("1e5", "NS", None),
            ("180", "EW", 180), ("180.0001", "EW", None), ("91", "NS", None), ("50 60", "NS", None), ("5 5 60", "NS", None), ("NaN", "NS", None),
        ]
        for text, letters, wanted in cases:
            value = self.browser.wait_for_script("const { readCoordinate } = await import('./quantities.js'); return readCoordinate(...arguments)",
                                                 text, 90 if letters == "NS" else 180, letters)
            if wanted is None:
                self.assertIsNone(value, text)
            else:
                self.assertAlmostEqual(value, wanted, places=12, msg=text)


class WithoutCommandsTests(Scene):
    settings = {}

    def test_is_not_offered_where_commands_are_off(self):
        self.vessel.say("destination", FOWEY)
        self.open()
        self.browser.wait_text("#destination h2", "Fowey")
        self.assertFalse(self.browser.is_shown("#goal-open"))


if __name__ == "__main__":
    unittest.main()
