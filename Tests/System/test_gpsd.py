"""The agent and a real gpsd: what a receiver says comes out on the topics, and nothing else."""
import json
import pathlib
import re
import subprocess
import time
import unittest

from support import PROJECT, Agent, Broker, Gpsd, Gpsfake, Receiver, Subscriber, free_port, wait_until

HARBOUR = pathlib.Path(__file__).resolve().parent / "Fixtures" / "harbour.nmea"
RECORDINGS = PROJECT.parent / "shared" / "data" / "gpsd"
KNOT = 1852 / 3600

# Everything the agent has to say, at once and in m/s.
EVERYTHING = {
    "publish": {"rate": "1000", "deadband": "0", "speed_deadband": "0", "position_deadband": "0", "heartbeat": "5"},
    "units": {"speed": "m/s"},
}


def settings(port, **gps):
    return {**EVERYTHING, "gps": {"enabled": "yes", "port": str(port), **gps}}


def degrees(text, hemisphere):
    whole, minutes = re.match(r"(\d+)(\d\d\.\d+)$", text).groups()
    return (int(whole) + float(minutes) / 60) * (-1 if hemisphere in "SW" else 1)


def rmc_fixes(nmea):
    """{time of day: (latitude, longitude, m/s, course or None)} of the RMC sentences."""
    fixes = {}
    for line in nmea.splitlines():
        fields = line.split("*")[0].split(",")
        if fields[0][3:] == "RMC" and fields[2] == "A":
            clock = fields[1]
            fixes[f"{clock[:2]}:{clock[2:4]}:{clock[4:6]}"] = (
                degrees(*fields[3:5]), degrees(*fields[5:7]), float(fields[7]) * KNOT,
                float(fields[8]) if fields[8] else None)
    return fixes


def payloads(subscriber, topic):
    return [json.loads(message.payload) for message in subscriber.of(topic)]


class Harbour(unittest.TestCase):
    """Our own recording: at rest, out on 212, round to 300, at rest again."""

    def test_positions_speeds_and_courses_are_those_of_the_receiver(self):
        with Receiver(HARBOUR.read_bytes(), pause=0.02) as receiver, Gpsd(receiver) as gpsd:
            self.is_followed(gpsd)

    def test_replayed_by_gpsfake_they_are_those_of_the_receiver(self):
        with Gpsfake(HARBOUR) as gpsd:
            self.is_followed(gpsd)

    def is_followed(self, gpsd):
        truth = rmc_fixes(HARBOUR.read_text())
        with Broker() as broker, Subscriber(broker) as subscriber, Agent(broker, settings(gpsd.port)):
            subscriber.wait_for("gps/status", lambda status: status == "online")
            # Under way for 60 of its 95 s; the whole recording, then, and over its end back to the start.
            wait_until(lambda: len(subscriber.of("position")) > 110, 40, "a lap and a half")
            # The first reports after gpsd's start have no time; the agent's own stands there.
            positions, speeds, courses = (
                [payload for payload in payloads(subscriber, topic) if payload["time"][11:19] in truth]
                for topic in ("position", "speed", "course"))

        for position in positions:
            latitude, longitude, _, _ = truth[position["time"][11:19]]
            self.assertAlmostEqual(position["latitude"], latitude, delta=2e-7)
            self.assertAlmostEqual(position["longitude"], longitude, delta=2e-7)
            # The first has no height where gpsd began in the middle of an epoch.
            self.assertIn(position["altitude"], (4.2, None))
            self.assertGreaterEqual(position["gps_accuracy"], 1)
        last = positions[-1]
        self.assertEqual((last["fix"], last["satellites"], last["altitude"]), ("3d", 9, 4.2))
        self.assertGreaterEqual(len({position["time"] for position in positions}), 58)

        for speed in speeds:
            self.assertAlmostEqual(speed["value"], truth[speed["time"][11:19]][2], delta=0.011)
            self.assertEqual((speed["source"], speed["unit"]), ("receiver", "m/s"))
        self.assertEqual({speed["value"] for speed in speeds} & {0.0, 3.09}, {0.0, 3.09})

        shown = [course for course in courses if course["value"] is not None]
        for course in shown:
            self.assertAlmostEqual(course["value"], truth[course["time"][11:19]][3], delta=0.05)
        self.assertLessEqual({212.0, 300.0, 260.0}, {course["value"] for course in shown})
        self.assertIn(None, [course["value"] for course in courses])
        self.assertNotIn(0, [course["value"] for course in shown])

    def test_recording_is_what_its_script_makes(self):
        made = subprocess.run([HARBOUR.parent / "make-harbour-log"], capture_output=True, check=True)
        self.assertEqual(made.stdout, HARBOUR.read_bytes())

    def test_speed_and_course_come_from_fixes_where_the_receiver_gives_none(self):
        # Positions and dates only.
        lines = [line for line in HARBOUR.read_text().splitlines() if line[3:6] in ("GGA", "GSA")]
        zda = []
        for line in lines:
            if line[3:6] == "GGA":
                body = f"GPZDA,{line[7:16]},30,11,2026,00,00"
                checksum = 0
                for byte in body.encode():
                    checksum ^= byte
                zda.append(f"${body}*{checksum:02X}")
            zda.append(line)
        recording = "".join(line + "\r\n" for line in zda).encode()
        truth = rmc_fixes(HARBOUR.read_text())
        with Receiver(recording, pause=0.02) as receiver, Gpsd(receiver) as gpsd, Broker() as broker, \
                Subscriber(broker) as subscriber, Agent(broker, settings(gpsd.port)):
            steady = subscriber.wait_for(
                "course", lambda course: course["value"] is not None and "12:00:28" <= course["time"][11:19] <= "12:00:38",
                seconds=40)
            self.assertAlmostEqual(steady["value"], 212, delta=3)
            speeds = [speed for speed in payloads(subscriber, "speed") if "12:00:28" <= speed["time"][11:19] <= "12:00:38"]
            for speed in speeds:
                self.assertEqual(speed["source"], "fixes")
                self.assertAlmostEqual(speed["value"], truth[speed["time"][11:19]][2], delta=0.3)
            self.assertTrue(speeds)

    def test_gpsd_that_comes_late_goes_and_comes_back(self):
        with Receiver(HARBOUR.read_bytes()) as receiver, Broker() as broker, Subscriber(broker) as subscriber:
            port = free_port()
            with Agent(broker, settings(port)) as agent:
                reason = subscriber.wait_for("diagnostics", lambda all: all["gps"]["reason"] not in ("not started", None))
                self.assertEqual(reason["gps"]["reason"], "gpsd: Connection refused")
                for _ in range(2):
                    with Gpsd(receiver, port=port):
                        subscriber.forget()
                        subscriber.wait_for("gps/status", lambda status: status == "online", seconds=15)
                        subscriber.wait_for("position")
                    subscriber.wait_for("gps/status", lambda status: status == "offline")
                self.assertLess(len([line for line in agent.log.splitlines() if "gps" in line]), 12)

    def test_receiver_that_falls_silent_goes_stale_and_comes_back(self):
        with Receiver(HARBOUR.read_bytes()) as receiver, Gpsd(receiver) as gpsd, Broker() as broker, \
                Subscriber(broker) as subscriber, Agent(broker, settings(gpsd.port, stale_after="2")) as agent:
            subscriber.wait_for("gps/status", lambda status: status == "online")
            subscriber.wait_for("position")
            subscriber.forget()
            receiver.is_silent = True
            silent = time.monotonic()
            subscriber.wait_for("gps/status", lambda status: status == "offline", seconds=4)
            self.assertGreater(time.monotonic() - silent, 1)
            # Long enough for the agent to leave the silent connection and come again.
            subscriber.wait_for("diagnostics", lambda all: all["gps"]["reason"] == "gpsd is silent", seconds=30)
            receiver.is_silent = False
            subscriber.wait_for("gps/status", lambda status: status == "online", seconds=20)
            self.assertLess(len([line for line in agent.log.splitlines() if "gps" in line]), 8)


class NoReceiver(unittest.TestCase):
    def test_is_said_within_2_seconds(self):
        with Gpsd() as gpsd, Broker() as broker, Subscriber(broker) as subscriber, Agent(broker, settings(gpsd.port)) as agent:
            wait_until(lambda: "<6>gps: no device" in agent.log, 2, lambda: agent.log)
            subscriber.wait_for("diagnostics", lambda all: all["gps"]["reason"] == "no device", seconds=2)

    def test_is_said_when_gpsd_comes_without_one(self):
        port = free_port()
        with Broker() as broker, Subscriber(broker) as subscriber, Agent(broker, settings(port)) as agent:
            wait_until(lambda: "<6>gps: gpsd: Connection refused" in agent.log, 2, lambda: agent.log)
            subscriber.wait_for("diagnostics", lambda all: all["gps"]["reason"] == "gpsd: Connection refused")
            with Gpsd(port=port):
                # It is looked for again within 4 s; diagnostics are sent at most every 5 s.
                wait_until(lambda: "<6>gps: no device" in agent.log, 4 + 2, lambda: agent.log)
                subscriber.wait_for("diagnostics", lambda all: all["gps"]["reason"] == "no device", seconds=6)


class TwoReceivers(unittest.TestCase):
    def test_only_the_receiver_of_the_settings_is_heard(self):
        here = HARBOUR.read_bytes()
        there = shifted(HARBOUR.read_text(), "5021", "4821")
        with Receiver(here) as wanted, Receiver(there) as other, Gpsd(other, wanted) as gpsd, Broker() as broker, \
                Subscriber(broker) as subscriber, Agent(broker, settings(gpsd.port, device=wanted.path)):
            wait_until(lambda: len(subscriber.of("position")) > 20, 20, "positions")
            self.assertEqual({round(position["latitude"]) for position in payloads(subscriber, "position")}, {50})
            told = subscriber.wait_for("diagnostics", lambda all: "other_device" in all["rejected"], seconds=20)
            self.assertNotIn("wild_fix", told["rejected"])

    def test_without_a_choice_the_position_does_not_flap(self):
        there = shifted(HARBOUR.read_text(), "5021", "4821")
        with Receiver(HARBOUR.read_bytes()) as one, Receiver(there) as two, Gpsd(one, two) as gpsd, Broker() as broker, \
                Subscriber(broker) as subscriber, Agent(broker, settings(gpsd.port)):
            wait_until(lambda: len(subscriber.of("position")) > 40, 20, "positions")
            self.assertEqual(len({round(position["latitude"]) for position in payloads(subscriber, "position")}), 1)


def shifted(nmea, old, new):
    """The recording with another latitude and its checksums right."""
    lines = []
    for line in nmea.splitlines():
        body = line[1:].split("*")[0].replace("," + old, "," + new)
        checksum = 0
        for byte in body.encode():
            checksum ^= byte
        lines.append(f"${body}*{checksum:02X}\r\n")
    return "".join(lines).encode()


@unittest.skipUnless(RECORDINGS.is_dir(), "no recordings beside the project")
class Recordings(unittest.TestCase):
    """Recordings of real receivers, against what the same gpsd prints for them."""

    def test_what_comes_out_is_what_gpsd_says(self):
        for name in "bundg_zeus_9", "ublox-neo-m8l", "haicom-305N":
            with self.subTest(name=name):
                self.replay(name)

    def replay(self, name):
        reports = [json.loads(line) for line in (RECORDINGS / f"{name}.gpsd322.jsonl").read_text().splitlines()]
        # What gpsd 3.22 printed for the first seconds, and its head for all.
        reports += [json.loads(line) for line in (RECORDINGS / f"{name}.log.chk").read_text().splitlines() if line[:1] == "{"]
        fixes = [report for report in reports if report["class"] == "TPV" and report["mode"] >= 2]
        places = {(round(fix["lat"], 6), round(fix["lon"], 6)) for fix in fixes if "lat" in fix}
        # gpsd prints only some of the sentences of an epoch.
        file = RECORDINGS / f"{name}.log"
        recording = file.read_bytes()
        places |= {
            (round(degrees(*found[:2]), 6), round(degrees(*found[2:]), 6)) for found in
            re.findall(r"(\d{4}\.\d+),([NS]),(\d{5}\.\d+),([EW])", recording.decode("latin-1"))}
        speeds = {round(fix["speed"], 2) for fix in fixes if "speed" in fix}
        courses = {round(fix["track"], 1) % 360 for fix in fixes if "track" in fix}
        with Gpsfake(file) as gpsd, Broker() as broker, Subscriber(broker) as subscriber, \
                Agent(broker, settings(gpsd.port)):
            subscriber.wait_for("position", seconds=20)
            time.sleep(5)
            for position in payloads(subscriber, "position"):
                place = round(position["latitude"], 6), round(position["longitude"], 6)
                self.assertTrue(place in places, place)
            given = [speed for speed in payloads(subscriber, "speed") if speed["source"] == "receiver"]
            for speed in given:
                if speed["value"] is not None:
                    self.assertTrue(near(speed["value"], speeds, 0.011), speed)
            shown = [course["value"] for course in payloads(subscriber, "course") if course["value"] is not None]
            for course in shown:
                self.assertTrue(near(course, courses, 0.11), course)


def near(value, values, tolerance):
    return any(abs(value - other) <= tolerance for other in values)


if __name__ == "__main__":
    unittest.main()
