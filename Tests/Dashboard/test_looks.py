"""Themes, sizes, keyboard, listeners; the pictures are in .build/screenshots."""
import unittest

from browser import CHART_TABLE, PHONE, TABLET
from picture import pixels
from scene import Scene
from support import wait_until

SIZES = {"phone": PHONE, "tablet": TABLET, "chart-table": CHART_TABLE, "tablet-wide": (1180, 820), "phone-wide": (844, 390)}


class LookTests(Scene):
    def setUp(self):
        self.vessel.under_way()
        self.addCleanup(lambda: self.browser.resize(*CHART_TABLE))
        self.addCleanup(lambda: self.browser.prefer())

    def show(self, theme="auto"):
        self.open(theme=theme)
        self.heading("047°")
        self.browser.wait_text("#position .figure", lambda text: "N" in text)
        self.browser.wait_for_script("await new Promise((done) => setTimeout(done, 600))")

    def test_is_whole_in_every_size_and_theme(self):
        for size, (width, height) in SIZES.items():
            for theme in "day", "night", "red":
                with self.subTest(size=size, theme=theme):
                    self.browser.resize(width, height)
                    self.show(theme)
                    self.browser.screenshot(f"{size}-{theme}")
                    self.browser.whole_page(f"{size}-{theme}-whole")
                    wide = self.browser.script("return document.documentElement.scrollWidth")
                    self.assertLessEqual(wide, width)
                    self.assertEqual(self.cut_off(), [])
                    self.assertEqual(self.overlaps(), [])

    def cut_off(self):
        """Texts that do not fit where they stand."""
        return self.browser.script("""
            return [...document.querySelectorAll("h2, .figure, .below, button, .most, .advice, .note")]
              .filter((e) => e.getClientRects().length && (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline"))
              .map((e) => `${e.id || e.className}: ${e.textContent}`)""")

    def test_the_age_of_what_is_old_is_seen_in_every_size(self):
        self.addCleanup(self.vessel.say, "gps/status", "online")
        self.addCleanup(self.vessel.say, "accelerometer/status", "online")
        for size, (width, height) in [*SIZES.items(), ("screen", (1280, 720)), ("small-phone", (360, 640))]:
            with self.subTest(size=size):
                self.browser.resize(width, height)
                self.vessel.say("gps/status", "online")
                self.show()
                self.vessel.say("accelerometer/status", "offline")
                self.vessel.say("gps/status", "offline")
                wait_until(lambda: self.browser.is_shown("#course .age") and self.browser.is_shown("#roll .age"), 3, "they are old")
                cut = self.browser.script("""
                    return [...document.querySelectorAll(".age, #speed-note")].filter((e) => e.getClientRects().length)
                      .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1).map((e) => e.textContent)""")
                self.assertEqual(cut, [])
                self.browser.screenshot(f"{size}-gps-offline")

    def overlaps(self):
        """Parts of the page that lie on one another."""
        return self.browser.script("""
            const parts = [...document.querySelectorAll(".bar, #dial, #advice, .compass .row, .steer, .speed, .reading, .history")];
            const boxes = parts.map((part) => part.getBoundingClientRect());
            const found = [];
            boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, j) => {
              if (a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1) {
                found.push([parts[i].id || parts[i].className, parts[i + 1 + j].id || parts[i + 1 + j].className]);
              }
            }));
            return found""")

    def test_chart_table_needs_no_scrolling(self):
        for size in CHART_TABLE, (1280, 720), (1920, 1080):
            with self.subTest(size):
                self.browser.resize(*size)
                self.show()
                self.assertLessEqual(self.browser.script("return document.documentElement.scrollHeight"), size[1])
                self.browser.screenshot(f"screen-{size[0]}x{size[1]}")

    def test_the_figures_can_be_read_at_arms_length(self):
        """A figure of 7 mm subtends 0.57 degrees at 70 cm; a phone has about 6 CSS pixels a millimetre."""
        self.browser.resize(*PHONE)
        self.show()
        height = self.browser.script("return document.getElementById('heading').getBoundingClientRect().height")
        self.assertGreater(height, 42)

    def test_red_has_no_light_but_red(self):
        for size in PHONE, CHART_TABLE:
            self.browser.resize(*size)
            self.show("red")
            others = max(max(green, blue) for row in pixels(self.browser.screenshot("red-only")) for _, green, blue in row)
            self.assertEqual(others, 0)

    def test_the_form_of_the_destination_fits_and_is_red_at_night(self):
        for size, (width, height) in {"phone": PHONE, "phone-wide": SIZES["phone-wide"]}.items():
            with self.subTest(size):
                self.browser.resize(width, height)
                self.show("red")
                self.browser.script("document.getElementById('goal-open').click()")
                self.browser.wait_for_script("await new Promise((done) => setTimeout(done, 300))")
                left, top, right, bottom = self.browser.script("const b = document.getElementById('goal').getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]")
                self.assertTrue(0 <= left and 0 <= top and right <= width and bottom <= height, (left, top, right, bottom))
                self.assertLessEqual(*self.browser.script("const d = document.getElementById('goal'); return [d.scrollHeight, d.clientHeight]"))
                picture = self.browser.screenshot(f"{size}-destination-red")
                self.assertEqual(max(max(green, blue) for row in pixels(picture) for _, green, blue in row), 0)

    def test_light_and_dark_follow_the_system_unless_chosen(self):
        ground = "return getComputedStyle(document.body).backgroundColor"
        self.show()
        self.browser.prefer(prefers_color_scheme="light")
        day = self.browser.script(ground)
        self.browser.prefer(prefers_color_scheme="dark")
        night = self.browser.script(ground)
        self.assertNotEqual(day, night)
        self.browser.click("#theme [data-value=day]")
        self.assertEqual(self.browser.script(ground), day)
        self.browser.click("#theme [data-value=night]")
        self.browser.prefer(prefers_color_scheme="light")
        self.assertEqual(self.browser.script(ground), night)
        self.browser.open(self.dashboard.url)
        self.assertEqual(self.browser.script(ground), night)

    def test_nothing_moves_when_values_come_change_and_go(self):
        observe = """
            window.moved = [];
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) window.moved.push([entry.value, ...entry.sources.map((s) => s.node?.id || s.node?.className || s.node?.nodeName)]);
            })
              .observe({type: "layout-shift", buffered: true})"""
        for size in SIZES.values():
            with self.subTest(size):
                self.browser.resize(*size)
                self.show()
                self.browser.script(observe)
                self.vessel.head(359, accuracy=120, quality="bad")
                self.vessel.say("speed", {"value": 123.4, "unit": "kn"})
                self.vessel.say("course", {"value": None, "unit": "°"})
                self.vessel.say("gps/status", "offline")
                self.vessel.say("destination", None)
                self.browser.wait_text("#advice", "Move away from metal objects")
                self.vessel.say("destination", {"name": "A very long name of a place that does not fit " * 2, "bearing": 1, "distance": 12345.6, "distance_unit": "nmi"})
                self.browser.wait_text("#destination h2", lambda text: text.startswith("A very long"))
                self.vessel.say("gps/status", "online")
                self.vessel.under_way()
                self.heading("047°")
                self.assertEqual(self.browser.script("return window.moved"), [])

    def test_nothing_grows_while_the_page_stands(self):
        places = """
            return [...document.querySelectorAll(".card, #dial, #strip, .bar")].map((part) => {
              const box = part.getBoundingClientRect();
              return [part.id || part.className, box.left, box.top, box.width, box.height];
            })"""
        for size, (width, height) in SIZES.items():
            for scale in 1, 1.5:
                with self.subTest(size=size, scale=scale):
                    self.browser.resize(width, height, scale)
                    self.show()
                    before = self.browser.script(places)
                    self.browser.wait_for_script("await new Promise((done) => setTimeout(done, 1500))")
                    self.assertEqual(self.browser.script(places), before)

    def test_everything_is_reached_by_keyboard(self):
        self.show()
        reached = []
        self.browser.script("document.body.focus(); document.activeElement.blur()")
        for _ in range(30):
            self.browser.press("\ue004")
            reached.append(self.browser.script("const e = document.activeElement; return e.id || e.dataset.value || e.tagName"))
        for wanted in "vessel", "auto", "true", "head", "bug", "steer-less", "steer-input", "steer-more", "steer-set", "steer-clear", "unit", "speed-reset", "goal-open":
            self.assertIn(wanted, reached)
        self.browser.script("document.querySelector('#reference [data-value=true]').focus()")
        self.browser.press("\ue014")
        self.browser.wait_text("#reference-shown", "MAGNETIC")

    def test_listeners_hear_roles_names_and_values(self):
        self.show()
        expected = [
            ("#rose", "aria-label", "Heading 47 degrees true, north east"), ("#gauge", "role", "meter"),
            ("#gauge", "aria-valuenow", "6.4"), ("#gauge", "aria-valuetext", "6.4 kn"), ("#bug", "role", "slider"),
            ("#bug", "aria-valuenow", "65"), ("#advice", "role", "status"), ("#link", "role", "status"),
            ("#theme [data-value=auto]", "aria-checked", "true"),
        ]
        for selector, name, value in expected:
            self.assertEqual(self.browser.attribute(selector, name), value, selector)
        nameless = self.browser.script("""
            return [...document.querySelectorAll("button, input, select")]
              .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() && e.tagName === "BUTTON" || e.labels?.[0]?.textContent.trim()))
              .map((e) => e.outerHTML)""")
        self.assertEqual(nameless, [])

    def test_reduced_motion_goes_there_at_once(self):
        self.browser.prefer(prefers_reduced_motion="reduce")
        self.show()
        self.browser.script("""
            window.angles = new Set();
            const rose = document.getElementById("rose");
            new MutationObserver(() => window.angles.add(rose.getAttribute("transform"))).observe(rose, {attributes: true})""")
        self.vessel.head(97)
        self.heading("097°")
        self.browser.wait_for_script("await new Promise((done) => setTimeout(done, 300))")
        self.assertEqual(self.browser.script("return [...window.angles]"), ["rotate(-97.00)"])

    def test_keeps_ten_minutes_of_history(self):
        self.browser.resize(1280, 720, scale=0.75)
        self.show("night")
        length = self.browser.wait_for_script("""
            const { Strip } = await import("./strip.js");
            const strip = new Strip(document.getElementById("strip"));
            strip.show("kn", 1.94384);
            const bow = (second) => (47 + 70 * Math.sin((699 - second) / 110) + 4 * Math.sin(second / 9) + 360) % 360;
            for (let second = 0; second < 700; second += 1) strip.sample(1000 + second * 1000, bow(second), 3.3 - (699 - second) / 700 + 0.3 * Math.sin(second / 25));
            // Over what the page itself has so far.
            setInterval(() => strip.draw(), 20);
            const headings = strip.heading.values;
            return [headings.length, strip.speed.values.length, Math.max(...headings.slice(1).map((value, index) => Math.abs(value - headings[index])))]""")
        self.browser.screenshot("history")
        self.assertEqual(length[:2], [600, 600])
        # Through north too: no faster than the bow turned.
        self.assertLess(length[2], 2)

    def test_draws_nothing_while_nothing_changes(self):
        self.show()
        drawn = self.browser.wait_for_script("""
            let count = 0;
            const real = window.requestAnimationFrame;
            window.requestAnimationFrame = (callback) => { count += 1; return real.call(window, callback); };
            await new Promise((done) => setTimeout(done, 3000));
            window.requestAnimationFrame = real;
            return count""")
        self.assertLess(drawn, 12)


class AngleTests(Scene):
    """The pure functions, run in the browser itself."""

    def test_angles_fold_turn_and_are_written_as_they_should(self):
        self.vessel.head(1)
        self.open()
        cases = [
            ("folded(-1e-16)", 0), ("Object.is(folded(-0), 0)", True), ("folded(-1e9)", 80), ("folded(1e9)", 280), ("folded(360)", 0),
            ("shortestTurn(10, 350)", -20), ("shortestTurn(350, 10)", 20), ("shortestTurn(0, 180)", -180),
            ("unwrapped(-2, 357)", -3), ("unwrapped(725, 1)", 721), ("threeDigits(359.6)", "000"), ("threeDigits(7.4)", "007"),
            ("cardinal(348.8)", "N"), ("cardinal(348.7)", "NNW"), ("spokenCardinal(22.5)", "north north east"),
            # Declination positive east: true = magnetic + declination.
            ("fromNorth(2, 'magnetic', 'true', -26.8)", 335.2), ("fromNorth(14.45, 'true', 'magnetic', 14.85)", 359.6),
            ("fromNorth(10, 'true', 'magnetic', null)", None), ("directionOfPoint(0, -1)", 0), ("directionOfPoint(-1, 0)", 270),
        ]
        for code, wanted in cases:
            value = self.browser.wait_for_script(f"const a = await import('./angles.js'); const {{{', '.join(['folded', 'shortestTurn', 'unwrapped', 'threeDigits', 'cardinal', 'spokenCardinal', 'fromNorth', 'directionOfPoint'])}}} = a; return {code}")
            if isinstance(wanted, float):
                self.assertAlmostEqual(value, wanted, places=9, msg=code)
            else:
                self.assertEqual(value, wanted, code)

    def test_quantities_are_converted_and_written_as_they_should(self):
        self.vessel.head(1)
        self.open()
        cases = [
            ("speedIn(10, 'kn', 'km/h')", 18.52), ("speedIn(1, 'm/s', 'kn')", 1.9438444924406), ("speedIn(1, 'mph', 'm/s')", 0.44704),
            ("speedIn(1, 'furlong', 'kn')", None), ("decimal(-0.04, 1)", "0.0"), ("decimal(-3.25, 1)", "−3.3"), ("decimal(null, 1)", "–"),
            ("coordinate(-33.99999999, 2, 'NS')", "34°00.000′ S"), ("coordinate(0, 3, 'EW')", "000°00.000′ E"),
            ("span(89)", "89 s"), ("span(600)", "10 min"), ("span(11844)", "3 h 17 min"), ("span(null)", "–"),
            ("fullScaleIn(12, 'kn', 'km/h')", 25), ("fullScaleIn(10, 'kn', 'm/s')", 6), ("fullScaleIn(12, 'kn', 'kn')", 12),
        ]
        names = "speedIn, decimal, coordinate, span, fullScaleIn"
        for code, wanted in cases:
            value = self.browser.wait_for_script(f"const {{{names}}} = await import('./quantities.js'); return {code}")
            if isinstance(wanted, float):
                self.assertAlmostEqual(value, wanted, places=9, msg=code)
            else:
                self.assertEqual(value, wanted, code)


if __name__ == "__main__":
    unittest.main()
