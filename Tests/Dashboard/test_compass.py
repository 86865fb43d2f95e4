"""The rose, the figures and what is said about them."""
import unittest

from scene import Scene
from support import wait_until

# Collects every angle that the rose is drawn at.
RECORD = """
window.angles = [];
const rose = document.getElementById("rose");
const note = () => window.angles.push(Number(rose.getAttribute("transform").match(/rotate\\((.*)\\)/)[1]));
note();
new MutationObserver(note).observe(rose, {attributes: true, attributeFilter: ["transform"]});
"""
ANGLE = "return Number(document.querySelector(arguments[0]).getAttribute('transform').match(/rotate\\((-?[0-9.]+)\\)/)[1])"


class CompassTests(Scene):
    def setUp(self):
        self.vessel.head(45)
        self.open()
        self.heading("045°")

    def turn(self, *headings):
        """Every angle that the rose was drawn at while the vessel turned."""
        self.vessel.head(headings[0])
        self.settle(headings[0])
        self.browser.script(RECORD)
        for heading in headings[1:]:
            self.vessel.head(heading)
            self.settle(heading)
        return self.browser.script("return window.angles")

    def settle(self, heading):
        wanted = f"{round(heading) % 360:03}°"
        self.heading(wanted)
        wait_until(lambda: abs((self.browser.script(ANGLE, "#rose") + heading + 180) % 360 - 180) < 0.006, 5,
                   lambda: f"the rose stands at {self.browser.script(ANGLE, '#rose')}, heading {heading}")

    def assertTurned(self, angles, degrees):
        """In all, and never the other way."""
        steps = [b - a for a, b in zip(angles, angles[1:])]
        self.assertAlmostEqual(sum(abs(step) for step in steps), abs(degrees), delta=0.1)
        self.assertAlmostEqual(angles[-1] - angles[0], -degrees, delta=0.1)
        self.assertLess(max(abs(step) for step in steps), 360 / 2)

    def test_turns_through_north_to_port_seven_degrees_in_all(self):
        self.assertTurned(self.turn(5, 4, 3, 2, 1, 0, 359, 358), -7)

    def test_turns_through_north_to_starboard_the_short_way(self):
        self.assertTurned(self.turn(355, 358, 1, 4, 7), 12)

    def test_goes_from_10_to_350_in_twenty_degrees(self):
        self.assertTurned(self.turn(10, 350), -20)

    def test_goes_round_three_times_and_back_without_a_jump(self):
        circle = [(90 * step) % 360 for step in range(13)]
        self.assertTurned(self.turn(*circle), 1080)
        self.assertTurned(self.turn(*reversed(circle)), -1080)

    def test_is_there_150_milliseconds_after_a_turn(self):
        self.turn(90)
        # Time and place of each frame, from the moment the figure changes.
        self.browser.script("""
            window.frames = [];
            const rose = document.getElementById("rose");
            const observer = new MutationObserver(() => {
              const began = performance.now();
              const frame = () => {
                window.frames.push([performance.now() - began, Number(rose.getAttribute("transform").match(/rotate\\((.*)\\)/)[1])]);
                if (performance.now() - began < 600) requestAnimationFrame(frame);
              };
              frame();
              observer.disconnect();
            });
            observer.observe(document.getElementById("heading"), {childList: true, characterData: true, subtree: true});
        """)
        self.vessel.head(130)
        self.settle(130)
        wait_until(lambda: self.browser.script("return window.frames.at(-1)[0] > 500"), 5, "the frames are taken")
        late = [angle for at, angle in self.browser.script("return window.frames") if at > 250]
        self.assertTrue(late)
        self.assertTrue(all(abs(angle + 130) < 3 for angle in late), late)

    def test_keeps_letters_and_numbers_upright(self):
        upright = """
            return [...document.querySelectorAll("#rose text")].map((label) => {
              const matrix = label.getScreenCTM();
              return Math.atan2(matrix.b, matrix.a) * 180 / Math.PI;
            })"""
        for heading in 0, 47, 133, 290:
            self.turn(heading)
            leanings = self.browser.script(upright)
            self.assertEqual(len(leanings), 16)
            self.assertTrue(all(abs(leaning) < 0.05 for leaning in leanings), (heading, leanings))

    def test_has_marks_every_5_and_10_numbers_every_30_and_a_north_apart(self):
        counts = self.browser.script("""
            const all = (selector) => document.querySelectorAll("#rose " + selector);
            const size = (label) => parseFloat(getComputedStyle(label).fontSize);
            const letters = [...all("text.letter")];
            const [north, ...others] = letters;
            return {short: all(".tick.short").length, tens: all(".tick.middle, .tick.long").length,
                    numbers: [...all("text.number")].map((label) => label.textContent), letters: letters.map((label) => label.textContent),
                    isLarger: others.every((label) => size(label) < size(north)),
                    isColoured: others.every((label) => getComputedStyle(label).fill !== getComputedStyle(north).fill)}""")
        self.assertEqual(counts["short"], 36)
        self.assertEqual(counts["tens"], 36)
        self.assertEqual(counts["numbers"], [f"{angle:03}" for angle in range(0, 360, 30)])
        self.assertEqual(counts["letters"], list("NESW"))
        self.assertTrue(counts["isLarger"] and counts["isColoured"], counts)

    def test_stands_still_north_up_while_the_vessel_turns(self):
        self.browser.click("#rotation [data-value=north]")
        self.vessel.head(120)
        self.heading("120°")
        wait_until(lambda: abs(self.browser.script(ANGLE, "#vessel-pointer") - 120) < 0.1, 5, "the vessel points to 120")
        self.assertEqual(self.browser.script(ANGLE, "#rose"), 0)
        self.browser.screenshot("north-up")

    def test_writes_figures_of_constant_width_with_the_cardinal(self):
        widths = set()
        for heading, cardinal in (111, "ESE"), (88, "E"), (0, "N"), (359.6, "N"), (200.4, "SSW"):
            self.vessel.head(heading)
            self.heading(f"{round(heading) % 360:03}°")
            self.browser.wait_text("#cardinal", cardinal)
            widths.add(round(self.browser.script("return document.getElementById('heading').getBoundingClientRect().width")))
        self.assertEqual(len(widths), 1, widths)

    def test_shows_a_heading_of_exactly_zero(self):
        self.vessel.head(0)
        self.heading("000°")

    def test_shows_the_accuracy_as_a_wedge_around_the_lubber_line(self):
        self.vessel.head(45, accuracy=12)
        self.browser.wait_text("#accuracy-text", "± 12°")
        wide = "const b = document.getElementById('accuracy').getBBox(); return Math.abs(b.x + b.width / 2) < 0.1 ? b.width : null"
        # The chord of 24 degrees on a radius of 190.
        self.assertAlmostEqual(self.browser.script(wide), 79.0, delta=0.3)


class NorthTests(Scene):
    def setUp(self):
        self.vessel.head(100, declination=-12.0)
        self.open()
        self.heading("100°")

    def test_switches_between_true_and_magnetic_at_once_and_says_which(self):
        self.assertEqual(self.browser.text("#reference-shown"), "TRUE")
        self.browser.click("#reference [data-value=magnetic]")
        self.browser.wait_text("#reference-shown", "MAGNETIC", 1)
        self.assertEqual(self.browser.text("#heading"), "112°")
        self.assertEqual(self.browser.attribute("#reference [data-value=magnetic]", "aria-checked"), "true")
        self.browser.click("#reference [data-value=true]")
        self.browser.wait_text("#reference-shown", "TRUE", 1)
        self.assertEqual(self.browser.text("#heading"), "100°")

    def test_turns_the_marks_with_the_north_that_is_shown(self):
        self.vessel.say("course", {"value": 90.0, "unit": "°"})
        self.browser.wait_text("#course .figure", "090° T")
        self.browser.click("#reference [data-value=magnetic]")
        self.browser.wait_text("#course .figure", "102° M", 1)

    def test_falls_back_to_magnetic_with_a_word_while_true_is_unknown(self):
        self.vessel.say("heading/true", None)
        self.vessel.say("heading", {"value": 112.0, "unit": "°", "reference": "magnetic", "quality": "good"})
        self.open(north="true")
        self.heading("112°")
        self.assertEqual(self.browser.text("#reference-shown"), "MAGNETIC")
        self.browser.wait_text("#advice", lambda text: "True north is not known" in text)
        self.browser.screenshot("true-unknown")
        self.vessel.head(100, declination=-12.0)
        self.browser.wait_text("#reference-shown", "TRUE")
        self.browser.wait_text("#advice", "")


class AdviceTests(Scene):
    def setUp(self):
        self.vessel.head(45)
        self.vessel.say("field", {"value": 48.2, "unit": "µT", "interference": False})
        self.open()
        self.browser.wait_text("#advice", "")

    def test_says_to_move_away_from_metal_where_the_accuracy_is_poor(self):
        self.vessel.head(45, accuracy=40, quality="bad")
        self.browser.wait_text("#advice", "Move away from metal objects")

    def test_says_so_where_a_disturbance_is_found(self):
        self.vessel.say("field", {"value": 68.2, "unit": "µT", "interference": True})
        self.browser.wait_text("#advice", "Move away from metal objects")

    def test_says_what_to_run_where_it_is_not_calibrated(self):
        self.vessel.head(45, accuracy=60, quality="uncalibrated")
        self.browser.wait_text("#advice", "Not calibrated: run compass-mqtt calibrate")
        self.browser.screenshot("uncalibrated")

    def test_shows_the_hint_of_a_calibration_under_way(self):
        self.addCleanup(self.vessel.say, "calibration", None)
        self.vessel.say("calibration", {"state": "collecting", "coverage": 40, "hint": "tilt it to port"})
        self.browser.wait_text("#advice", lambda text: "tilt it to port" in text)


if __name__ == "__main__":
    unittest.main()
