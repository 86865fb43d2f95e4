"""Speed and the other readings; what is stale, offline, lost and back; what a topic may hold."""
import unittest

from scene import Scene
from support import Broker, wait_until
from support_dashboard import Dashboard, Vessel, rfc3339


class SpeedTests(Scene):
    settings = {"commands": "yes", "full_scale": 10}

    def setUp(self):
        self.vessel.commands.clear()
        self.vessel.say("trip", None)
        self.speed(0)
        self.open()
        self.browser.wait_text("#speed", "0.0")

    def speed(self, value):
        self.vessel.say("speed", {"value": value, "unit": "kn", "accuracy": 0.2})

    def pointer(self):
        return self.browser.script("return Number(document.getElementById('speed-pointer').getAttribute('transform').match(/-?[0-9.]+/)[0])")

    def pointer_rests_at(self, angle):
        wait_until(lambda: abs(self.pointer() - angle) < 0.2, 5, lambda: f"the pointer rests at {self.pointer()}")

    def test_points_to_the_speed_on_half_a_circle(self):
        for value, angle in (0, -90), (5, 0), (7.5, 45), (10, 90):
            self.speed(value)
            self.browser.wait_text("#speed", f"{value:.1f}")
            self.pointer_rests_at(angle)

    def test_rests_at_the_end_beyond_full_scale_while_the_figure_tells_the_truth(self):
        self.speed(23.4)
        self.browser.wait_text("#speed", "23.4")
        self.pointer_rests_at(90)
        self.assertEqual(self.browser.attribute("#gauge", "aria-valuetext"), "23.4 kn")

    def test_shows_the_unit_that_is_chosen(self):
        self.speed(10)
        # 1 kn is 1.852 km/h, 0.514444 m/s, 1.150779 mph.
        for unit, text in ("km/h", "18.5"), ("m/s", "5.1"), ("mph", "11.5"), ("kn", "10.0"):
            self.browser.script("const s = document.getElementById('unit'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", unit)
            self.browser.wait_text("#speed", text)
            self.assertEqual(self.browser.text("#speed-unit"), unit)
        self.pointer_rests_at(90)

    def test_keeps_the_maximum_until_it_is_reset(self):
        for value in 4.2, 8.8, 3.1:
            self.speed(value)
            self.browser.wait_text("#speed", f"{value:.1f}")
        self.browser.wait_text("#speed-most", "8.8 kn")
        self.browser.click("#speed-reset")
        self.browser.wait_text("#speed-most", "3.1 kn")
        self.assertEqual(self.vessel.commands, [])

    def test_shows_and_resets_the_maximum_that_the_vessel_keeps(self):
        self.vessel.say("trip", {"value": 12.0, "unit": "nmi", "max_speed": 9.7, "speed_unit": "kn", "since": rfc3339(-60)})
        self.browser.wait_text("#speed-most", "9.7 kn")
        # The distance goes with it, for everybody.
        self.browser.click("#speed-reset")
        self.browser.wait_text("#speed-reset", "Trip too?")
        self.browser.wait_text("#speed-reset", "Reset", 6)
        self.assertEqual(self.vessel.commands, [])
        for _ in range(2):
            self.browser.click("#speed-reset")
        self.vessel.wait_for_command("trip/set", "reset")

    def test_an_unknown_speed_is_a_dash_and_not_zero(self):
        self.assertTrue(self.browser.is_shown("#speed-pointer"))
        self.vessel.say("speed", {"value": None, "unit": "kn"})
        self.browser.wait_text("#speed", "–")
        self.assertFalse(self.browser.is_shown("#speed-pointer"))

    def test_the_maximum_is_never_less_than_the_speed(self):
        """A vessel tells its trip less often than its speed."""
        self.vessel.say("trip", {"value": 12.0, "unit": "nmi", "max_speed": 5.6, "speed_unit": "kn", "since": rfc3339(-60)})
        self.browser.wait_text("#speed-most", "5.6 kn")
        for value in 5.8, 5.2:
            self.speed(value)
            self.browser.wait_text("#speed", str(value))
            self.browser.wait_text("#speed-most", "5.8 kn", 1)
        self.vessel.say("trip", {"value": 12.0, "unit": "nmi", "max_speed": 5.2, "speed_unit": "kn", "since": rfc3339()})
        self.browser.wait_text("#speed-most", "5.2 kn")

    def test_the_vessels_maximum_stays_when_the_vessel_goes(self):
        self.addCleanup(self.vessel.say, "status", "online")
        self.vessel.say("trip", {"value": 12.0, "unit": "nmi", "max_speed": 9.7, "speed_unit": "kn", "since": rfc3339(-60)})
        self.browser.wait_text("#speed-most", "9.7 kn")
        self.vessel.say("status", "offline")
        self.browser.wait_text("#link", lambda text: text.startswith("Offline"))
        self.assertEqual(self.browser.text("#speed-most"), "9.7 kn")
        wait_until(lambda: self.browser.script("return document.getElementById('speed-reset').disabled"), 3, "it cannot be reset now")
        self.assertEqual(self.browser.text("#speed-most"), "9.7 kn")
        self.assertEqual(self.vessel.commands, [])


class ReadingTests(Scene):
    def setUp(self):
        self.vessel.under_way()
        self.open()

    def test_shows_what_there_is(self):
        for selector, text in [
            ("#course .figure", "052° T"), ("#rate .figure", "24°/min"), ("#rate .below", "port"), ("#roll .figure", "12°"),
            ("#roll .below", "to starboard"), ("#pitch .figure", "3°"), ("#pitch .below", "by the stern"),
            ("#destination h2", "Fowey"), ("#destination .figure", "16.8 nmi"), ("#destination .below", "bearing 081° T"),
            ("#arrival .figure", "3 h 17 min"), ("#arrival .below", "5.1 kn made good"),
            # 50.3002549: 0.3002549 x 60 = 18.015; 4.2002879: 0.2002879 x 60 = 12.017.
            ("#position .figure", "50°18.015′ N\n004°12.017′ W"), ("#position .below", "3D fix · 9 satellites · ± 4 m"),
            ("#trip .figure", "23.4 nmi"),
        ]:
            with self.subTest(selector):
                self.browser.wait_text(selector, text)
        self.assertCleanConsole()

    def test_a_topic_that_is_taken_away_goes(self):
        self.vessel.say("destination", None)
        self.browser.wait_text("#destination .below", "none set")
        self.browser.wait_text("#destination h2", "Destination")

    def test_withheld_at_rest_is_a_dash(self):
        self.vessel.say("course", {"value": None, "unit": "°", "accuracy": None})
        self.browser.wait_text("#course .figure", "–")

    def test_an_unknown_heel_is_not_shown_as_level(self):
        self.browser.wait_text("#roll .figure", "12°")
        self.assertTrue(self.browser.is_shown("#roll .ship"))
        self.vessel.say("roll", {"value": None, "unit": "°"})
        self.browser.wait_text("#roll .figure", "–")
        self.assertFalse(self.browser.is_shown("#roll .ship"))


class TruthTests(Scene):
    """What cannot be trusted is shown as such."""
    settings = {"stale_after": 3, "commands": "yes"}

    def setUp(self):
        for topic in "status", "magnetometer/status", "gps/status", "accelerometer/status":
            self.vessel.say(topic, "online")
        self.vessel.under_way()
        self.open()
        self.heading("047°")

    def is_stale(self, selector):
        return self.browser.script("return document.querySelector(arguments[0]).classList.contains('stale')", selector)

    def test_is_grey_with_its_age_when_nothing_more_comes(self):
        self.assertFalse(self.is_stale("#dial"))
        wait_until(lambda: self.is_stale("#dial") and self.is_stale("#course"), 6, "grey after 3 s")
        self.browser.wait_text("#course .age", lambda text: text.endswith(" s old, no news"))
        self.vessel.head(48)
        wait_until(lambda: not self.is_stale("#dial"), 2, "a new value is not grey")

    def test_a_source_that_is_offline_greys_its_values_at_once_and_no_others(self):
        self.vessel.say("gps/status", "offline")
        wait_until(lambda: self.is_stale("#course") and self.is_stale("#gauge"), 1, "grey")
        self.assertFalse(self.is_stale("#roll"))
        self.browser.wait_text("#course .age", lambda text: text.endswith(" s old, GPS offline"))
        self.browser.wait_text("#speed-note", lambda text: text.startswith("The GPS receiver is offline: speed ") and text.endswith(" s old"))
        # Its marks on the dial too.
        wait_until(lambda: self.old_marks() == ["mark-bearing", "mark-course"], 2, lambda: f"grey: {self.old_marks()}")
        self.browser.screenshot("gps-offline")

    def old_marks(self):
        return sorted(self.browser.script("return [...document.querySelectorAll('#dial .old [class^=mark]')].map((mark) => mark.getAttribute('class'))"))

    def test_marks_and_steering_are_grey_where_the_heading_is(self):
        self.assertEqual(self.old_marks(), [])
        self.vessel.say("magnetometer/status", "offline")
        wait_until(lambda: self.old_marks() == ["mark-bearing", "mark-course", "mark-steer"], 2, lambda: f"grey: {self.old_marks()}")
        self.assertTrue(self.is_stale("#steer"))
        self.browser.wait_text("#advice", lambda text: text.startswith("The magnetometer is offline: heading "))
        self.browser.screenshot("magnetometer-offline")
        self.vessel.say("magnetometer/status", "online")
        self.vessel.under_way()
        wait_until(lambda: self.old_marks() == [] and not self.is_stale("#steer"), 2, "nothing is grey")

    def test_says_when_the_vessel_is_offline(self):
        self.vessel.say("status", "offline")
        self.browser.wait_text("#link", lambda text: text.startswith("Offline"))
        wait_until(lambda: self.is_stale("#dial") and self.is_stale("#roll"), 1, "grey")
        self.browser.wait_text("#link", lambda text: text.startswith("Offline for "))
        self.browser.screenshot("offline")
        # What is read out says so once, and not each second again.
        for selector, words in ("#link", "Offline"), ("#advice", "The vessel is offline"), ("#speed-note", "The vessel is offline"):
            self.assertEqual(self.browser.script("const c = document.querySelector(arguments[0]).cloneNode(true); c.querySelector('[aria-hidden=true]').remove(); return c.textContent", selector), words)
        self.vessel.say("status", "online")
        self.browser.wait_text("#link", "Live")

    def test_any_other_word_than_online_is_offline(self):
        """A bridge says 0 in the vessel's name while it has no link (deploy/mosquitto)."""
        self.vessel.say("status", "0")
        self.browser.wait_text("#link", lambda text: text.startswith("Offline"))
        wait_until(lambda: self.is_stale("#dial"), 1, "grey")
        self.vessel.say("status", "online")
        self.browser.wait_text("#link", "Live")

    def test_an_old_retained_value_is_shown_with_its_true_age(self):
        self.vessel.client.publish("compass/wanderer/roll", '{"value":3.0,"unit":"°","time":"%s"}' % rfc3339(-7200), 1, True).wait_for_publish(5)
        with Dashboard(self.broker.port, stale_after=90) as late:
            self.browser.open(late.url)
            self.browser.wait_text("#roll .age", "2 h 00 min old, no news")

    def test_a_retained_value_from_a_time_to_come_is_of_unknown_age(self):
        """The dashboard's clock is behind, as on a Pi that has none and has not been told the time."""
        self.vessel.client.publish("compass/wanderer/roll", '{"value":3.0,"unit":"°","time":"%s"}' % rfc3339(7200), 1, True).wait_for_publish(5)
        with Dashboard(self.broker.port, stale_after=90) as late:
            self.browser.open(late.url)
            self.browser.wait_text("#roll .age", "age unknown, no news")
            self.vessel.say("roll", {"value": 4.0, "unit": "°"})
            self.browser.wait_text("#roll .age", "")


class ReconnectTests(Scene):
    def test_finds_broker_and_dashboard_again_and_says_so_meanwhile(self):
        with Broker() as broker, Dashboard(broker.port) as dashboard:
            with Vessel(broker) as vessel:
                vessel.head(10)
                self.browser.open(dashboard.url)
                self.heading("010°")
            broker.stop()
            self.browser.wait_text("#link", lambda text: text.startswith("No connection to the broker"))
            wait_until(lambda: self.browser.script("return document.getElementById('dial').classList.contains('stale')"), 2, "grey")
            broker.restart()
            # It has lost what it kept: what nobody says again is gone.
            self.browser.wait_text("#heading", "–––", 20)
            with Vessel(broker) as vessel:
                vessel.head(20)
                self.heading("020°", 10)
                dashboard.stop()
                self.browser.wait_text("#link", "No connection to the dashboard, trying again …")
                vessel.head(30)
                dashboard.start()
                self.heading("030°", 15)
                self.browser.wait_text("#link", "Live")

    def test_opens_a_stream_again_that_died_without_a_word(self):
        self.vessel.head(10)
        self.open()
        self.heading("010°")
        self.dashboard.pause()
        self.addCleanup(self.dashboard.resume)
        self.browser.wait_text("#link", "No connection to the dashboard, trying again …", 20)
        self.dashboard.resume()
        self.browser.wait_text("#link", "Live", 15)


class SeveralVesselsTests(Scene):
    def test_offers_a_list_and_remembers_the_choice(self):
        self.vessel.head(10)
        with Vessel(self.broker, base="compass/zephyr") as other:
            other.head(200)
            self.open()
            wait_until(lambda: self.browser.script("return document.getElementById('vessel').options.length") == 2, 5, "two vessels")
            self.choose("compass/zephyr")
            self.heading("200°")
            self.vessel.head(11)
            self.browser.open(self.dashboard.url)
            self.heading("200°")
            other.say("status", "offline")
            self.browser.wait_text("#vessel option:checked", "zephyr (offline)")

    def choose(self, base):
        self.browser.script(f"const s = document.getElementById('vessel'); s.value = '{base}'; s.dispatchEvent(new Event('change'))")

    def test_a_remembered_vessel_that_is_gone_does_not_hide_the_others(self):
        self.vessel.head(12)
        self.open("No vessel yet", vessel="compass/sunk")
        self.browser.wait_text("#vessel option:checked", "sunk (offline)")
        self.choose("compass/wanderer")
        self.heading("012°")

    def test_never_goes_to_another_vessel_by_itself(self):
        """Neither when it is gone, nor when the dashboard comes back and another is there first."""
        self.vessel.head(12)
        self.open()
        self.heading("012°")
        with Vessel(self.broker, base="compass/zephyr") as other:
            other.head(200)
            for topic in "status", "heading", "heading/magnetic", "heading/true":
                self.vessel.say(topic, None)
            self.addCleanup(self.vessel.say, "status", "online")
            self.browser.wait_text("#vessel option:checked", "wanderer (offline)")
            self.dashboard.stop()
            self.dashboard.start()
            wait_until(lambda: "zephyr" in self.browser.script("return document.getElementById('vessel').textContent"), 20, "the other is known")
            self.browser.wait_for_script("await new Promise((done) => setTimeout(done, 4000))")
            self.assertEqual(self.browser.text("#vessel option:checked"), "wanderer (offline)")
            self.assertEqual(self.browser.text("#heading"), "–––")
            self.assertTrue(self.browser.script("return document.getElementById('steer-more').disabled"))


HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"


class HostileTests(Scene):
    """Whoever may publish at the broker may send anything."""

    def setUp(self):
        self.vessel.under_way()
        self.open()

    def tearDown(self):
        self.assertIsNone(self.browser.script("return window.hacked ?? null"))
        self.assertCleanConsole()

    def test_a_script_in_a_name_is_shown_as_text(self):
        self.vessel.say("destination", {"name": HOSTILE, "bearing": 10, "distance": 1, "distance_unit": HOSTILE, "speed_unit": HOSTILE})
        self.browser.wait_text("#destination h2", HOSTILE)
        self.browser.wait_text("#destination .figure", f"1.00 {HOSTILE}")
        self.assertEqual(self.browser.script("return document.querySelectorAll('main img, main script').length"), 0)

    def test_a_script_in_a_vessels_name_is_shown_as_text(self):
        name = HOSTILE.replace("/", "")
        with Vessel(self.broker, base=f"compass/{name}") as other:
            self.addCleanup(lambda: [self.vessel.client.publish(f"compass/{name}/{topic}", b"", 1, True).wait_for_publish(5)
                                     for topic in ("status", "magnetometer/status", "accelerometer/status", "gps/status", "diagnostics", "heading", "heading/true", "heading/magnetic")])
            other.head(77)
            wait_until(lambda: name in self.browser.script("return [...document.getElementById('vessel').options].map((o) => o.text)"), 5, "it is offered")
            self.browser.script("const s = document.getElementById('vessel'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", f"compass/{name}")
            self.heading("077°")

    def test_payloads_that_are_none_show_as_unknown_and_harm_no_others(self):
        payloads = ["", "nonsense", "{", "[1,2]", "null", '"text"', '{"value":"12"}', '{"value":{}}', '{"value":1e999}', '{"value":null,"time":{}}',
                    "\x00\x01\n\ndata: x\n\nevent: welcome\n\n", "\ufeff{}", '{"__proto__":{"value":5}}', "9" * 4000, "x" * 100000]
        for payload in payloads:
            with self.subTest(payload[:40]):
                for topic in "speed", "roll", "position", "trip", "field", "diagnostics", "gps/status":
                    self.vessel.say(topic, payload or None)
                self.vessel.say("speed", None)
                self.vessel.head(payloads.index(payload) + 100)
                self.heading(f"{payloads.index(payload) + 100}°")
                self.assertEqual(self.browser.text("#speed"), "–")
        # Numbers that no instrument can show must not stop the page.
        for value in 1e18, -1e18, 8e15:
            self.vessel.say("heading/true", {"value": value, "unit": "°"})
            self.vessel.say("speed", {"value": value, "unit": "kn"})
        self.vessel.head(44)
        self.heading("044°")
        self.vessel.client.publish("compass/wanderer/roll", b"\xff\xfe\xc0\x80", 1, True).wait_for_publish(5)
        self.browser.wait_text("#roll .figure", "–")


if __name__ == "__main__":
    unittest.main()
