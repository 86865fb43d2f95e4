"""The course to steer: dragged, nudged, typed, cleared, confirmed or not."""
import math
import unittest

from scene import Scene
from support import wait_until
from support_dashboard import Dashboard

BUG = "const b = document.querySelector('#bug .mark-steer').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]"
DIAL = "const b = document.getElementById('dial').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2, b.width * 190 / 412]"


class SteeringTests(Scene):
    def setUp(self):
        self.vessel.commands.clear()
        self.vessel.head(40)
        self.steer(None)
        self.open()
        self.heading("040°")
        wait_until(lambda: self.browser.script("return !document.getElementById('steer-less').disabled"), 5, "steering is usable")

    def steer(self, course, reference="true"):
        self.vessel.say("steer", None if course is None else {
            "value": course, "unit": "°", "reference": reference, "error": course - 40, "error_course": None})

    def ordered(self, text, reference="true"):
        """A command goes out from the north that the page shows."""
        self.vessel.wait_for_command("steer/set", text and f'{{"value":{text},"reference":"{reference}"}}')

    def confirm(self, text):
        """As an agent would."""
        self.ordered(text)
        self.steer(float(text) if text else None)
        self.browser.wait_text("#steer-value", f"{round(float(text)):03}°" if text else "–")

    def place(self, direction):
        """Of a direction on the screen, 0 at the top."""
        x, y, radius = self.browser.script(DIAL)
        return x + radius * math.sin(math.radians(direction)), y - radius * math.cos(math.radians(direction))

    def drag(self, direction, kind, before_release=()):
        x, y = self.browser.script(BUG)
        self.browser.pointer(("move", x, y), ("down",), ("move", *self.place(direction / 2)), ("move", *self.place(direction)),
                             *before_release, kind=kind)

    def test_is_dragged_with_the_mouse_and_sent_when_released(self):
        self.drag(60, "mouse")
        self.assertEqual(self.vessel.commands, [])
        self.assertEqual(self.browser.text("#steer-value"), "100°")
        self.browser.screenshot("dragged")
        self.browser.pointer(("up",), kind="mouse")
        self.confirm("100.0")
        self.assertEqual(len(self.vessel.commands), 1)

    def test_a_touch_without_a_drag_changes_nothing(self):
        for course in None, 90:
            self.steer(course)
            shown = self.browser.wait_text("#steer-value", "–" if course is None else "090°")
            wait_until(lambda: abs((self.standing() - (course or 40) + 180) % 360 - 180) < 0.1, 5, lambda: f"the bug stands at {self.standing()}")
            x, y = self.browser.script(BUG)
            for kind in "mouse", "touch":
                for dx, dy in (0, 0), (12, 8), (-9, 10):
                    # Beside its middle, and with the little that a hand trembles.
                    self.browser.pointer(("move", x + dx, y + dy), ("down",), ("move", x + dx + 2, y + dy - 2), ("pause", 60), ("up",), kind=kind)
                    self.assertEqual(self.browser.text("#steer-value"), shown, (kind, dx, dy))
        self.vessel.head(41)
        self.heading("041°")
        self.assertEqual(self.vessel.commands, [])

    def standing(self):
        """The direction that the bug shows, head up at 040."""
        return 40 + self.browser.script("return Number(document.getElementById('bug').parentNode.getAttribute('transform').match(/-?[0-9.]+/)[0])")

    def test_does_not_jump_under_a_hand_that_takes_it_beside_its_middle(self):
        self.steer(90)
        self.browser.wait_text("#steer-value", "090°")
        wait_until(lambda: abs(self.standing() - 90) < 0.1, 5, "the bug stands at 90")
        # 5 degrees beside it, then 20 on.
        self.browser.pointer(("move", *self.place(55)), ("down",), ("move", *self.place(65)), ("move", *self.place(75)), kind="mouse")
        self.browser.wait_text("#steer-value", "110°", 2)
        self.browser.pointer(("up",), kind="mouse")
        self.confirm("110.0")

    def test_is_dragged_with_a_finger(self):
        self.drag(-90, "touch", [("up",)])
        self.confirm("310.0")

    def test_is_not_fought_by_updates_while_it_is_dragged(self):
        self.drag(60, "mouse")
        for course in 200, 210:
            self.steer(course)
            self.vessel.head(41)
            self.vessel.head(40)
        self.browser.script("return 0")
        self.assertEqual(self.browser.text("#steer-value"), "100°")
        self.browser.pointer(("up",), kind="mouse")
        self.confirm("100.0")

    def test_drops_a_drag_that_the_system_takes_away(self):
        self.steer(90)
        self.browser.wait_text("#steer-value", "090°")
        self.drag(120, "mouse")
        self.browser.script("document.getElementById('bug').dispatchEvent(new PointerEvent('pointercancel', {bubbles: true}))")
        self.browser.wait_text("#steer-value", "090°", 2)
        self.browser.pointer(("up",), kind="mouse")
        self.assertEqual(self.vessel.commands, [])

    def test_is_nudged_by_five_degrees(self):
        self.steer(2)
        self.browser.wait_text("#steer-value", "002°")
        self.browser.click("#steer-less")
        self.confirm("357.0")
        self.browser.click("#steer-more")
        self.confirm("2.0")

    def test_is_typed_and_cleared(self):
        self.browser.type("#steer-input", "275")
        self.browser.click("#steer-set")
        self.confirm("275.0")
        self.browser.click("#steer-clear")
        self.confirm("")

    def test_refuses_what_is_no_course(self):
        self.browser.script("document.getElementById('steer-input').value = '361'")
        self.browser.click("#steer-set")
        self.browser.wait_text("#steer-note", "A course is 0 to 359.")
        self.assertEqual(self.vessel.commands, [])

    def test_is_moved_by_keys_and_tells_listeners_where_it_is(self):
        self.steer(90)
        self.browser.wait_text("#steer-value", "090°")
        self.browser.script("document.getElementById('bug').focus()")
        self.browser.press("\ue014", "\ue014", "\ue00e")  # right, right, page up
        wait_until(lambda: self.browser.attribute("#bug", "aria-valuenow") == "102", 1, "the bug has moved by 12 degrees")
        self.confirm("102.0")
        self.assertEqual(len(self.vessel.commands), 1)

    def test_shows_the_error_as_a_wedge_and_in_words(self):
        for course, words, side in (65, "25° stbd", "starboard"), (20, "20° port", "port"), (40, "on course", None):
            self.steer(course)
            self.browser.wait_text("#steer-error", words)
            if side:
                wait_until(lambda: self.browser.attribute("#error-wedge", "data-side") == side, 3, side)
        self.vessel.head(350)
        self.browser.wait_text("#steer-error", "50° stbd")

    def test_is_sent_from_the_north_that_is_shown_also_where_the_declination_is_not_known(self):
        self.vessel.head(40, declination=10.0)
        self.browser.click("#reference [data-value=magnetic]")
        self.heading("030°")
        self.browser.type("#steer-input", "50")
        self.browser.click("#steer-set")
        self.ordered("50.0", "magnetic")
        self.steer(60.0)
        self.browser.wait_text("#steer-value", "050°")
        self.vessel.say("heading/true", None)
        self.vessel.say("declination", None)
        self.browser.type("#steer-input", "70")
        self.browser.click("#steer-set")
        self.ordered("70.0", "magnetic")
        self.steer(70.0, "magnetic")
        self.browser.wait_text("#steer-value", "070°")

    def test_says_so_where_the_vessel_does_not_confirm(self):
        self.browser.click("#steer-more")
        self.browser.wait_text("#steer-note", "The vessel has not confirmed it.", 8)
        self.assertEqual(self.browser.text("#steer-value"), "–")

    def test_what_the_vessel_says_of_the_course_before_is_no_confirmation(self):
        self.steer(90)
        self.browser.wait_text("#steer-value", "090°")
        self.browser.click("#steer-more")
        self.ordered("95.0")
        for _ in range(5):
            self.vessel.head(41)
            self.steer(90)
        self.assertEqual(self.browser.text("#steer-value"), "095°")
        self.vessel.say("commands/rejected", {"topic": "steer/set", "payload": "95.0", "reason": "the helm is locked"}, retain=False)
        self.browser.wait_text("#steer-note", lambda text: "the helm is locked" in text)
        self.browser.wait_text("#steer-value", "090°")

    def test_tells_why_the_vessel_refused(self):
        self.browser.click("#steer-more")
        self.vessel.say("commands/rejected", {"topic": "steer/set", "payload": "45.0", "reason": "the helm is locked"}, retain=False)
        self.browser.wait_text("#steer-note", lambda text: "the helm is locked" in text)


class WithoutCommandsTests(Scene):
    settings = {}

    def test_shows_the_course_to_steer_but_lets_nobody_change_it(self):
        self.vessel.head(40)
        self.vessel.say("steer", {"value": 90.0, "unit": "°", "reference": "true", "error": 50})
        self.open()
        self.browser.wait_text("#steer-value", "090°")
        self.browser.wait_text("#steer-note", "Commands are off in the dashboard's settings.")
        self.assertTrue(self.browser.script("return [...document.getElementById('steer-form').elements].every((c) => c.disabled)"))
        status = self.browser.wait_for_script("""
            const answer = await fetch("command", {method: "POST", headers: {"Content-Type": "application/json"},
              body: JSON.stringify({vessel: "compass/wanderer", command: "steer", value: 1})});
            return answer.status""")
        self.assertEqual(status, 403)
        self.assertEqual(self.vessel.commands, [])

    def test_a_vessel_that_takes_none_is_not_asked(self):
        with Dashboard(self.broker.port, commands="yes") as dashboard:
            self.vessel.say("diagnostics", {"version": "1"})
            self.browser.open(dashboard.url)
            self.browser.wait_text("#steer-note", "The vessel takes no commands.")


if __name__ == "__main__":
    unittest.main()
