"""The published headings follow the truth, for every kind of driver, through the buffer and polled."""
import datetime
import json
import time

from vessel import TRIGGER, KernelTestCase, apart, heading_at, wait_until

BUFFERED = ("hmc5883l", "ak8963", "bmc150_magn", "mag3110", "lsm303dlhc_magn", "lis3mdl", "ak09916")
AUTOMATIC = ("hmc5843", "hmc5983", "ak8975", "ak09911", "lsm303agr_magn", "lsm9ds1_magn")
POLLED = ("hmc5883l", "ak8963", "bmc150_magn", "mag3110", "lsm303dlhc_magn", "mmc35240", "lsm303dlh_magn", "lis2mdl")
TILTED = ((40, 15, 0), (150, 0, -20), (280, -10, 12))       # heading, pitch, roll


def moment(time_text):
    return datetime.datetime.fromisoformat(time_text.replace("Z", "+00:00")).timestamp()


def reading(mode, **more):
    return {"mode": mode, "rate": "20", **({"trigger": TRIGGER} if mode == "buffer" else {}), **more}


class HeadingTests(KernelTestCase):
    def check_chip(self, chip, mode, *headings, **more):
        self.plug(chip)
        self.sail({"magnetometer": reading(mode, **more)})
        self.wait_status("online")
        self.check_headings(*headings)
        self.assertEqual(self.subscriber.payload("heading/magnetic")["quality"], "uncalibrated")

    def check_tilted(self, chips, magnetometer, accelerometer, slew=60, seconds=10):
        for chip in chips:
            self.plug(chip)
        self.sail({"magnetometer": magnetometer, "accelerometer": accelerometer})
        self.wait_status("online", "accelerometer")
        self.check_heading(0)
        self.sim("rate 200", f"slew {slew}")        # a gyroscope rightly denies a jump
        for heading, pitch, roll in TILTED:
            self.sim(f"pitch {pitch}", f"roll {roll}", f"heading {heading}")
            self.check_heading(heading, seconds)
            self.check_tilt("pitch", pitch)
            self.check_tilt("roll", roll)
        self.sim("rate 50")

    def check_tilt(self, topic, truth):
        wait_until(lambda: abs(self.subscriber.payload(topic)["value"] - truth) < 1, 5,
                   lambda: f"{topic} {truth}: {self.subscriber.payload(topic)}")

    def test_lsm303dlhc_tilted_buffered(self):
        self.check_tilted(["lsm303dlhc_magn", "lsm303dlhc_accel"], reading("buffer"), reading("buffer"))

    def test_lsm303dlhc_tilted_polled(self):
        self.check_tilted(["lsm303dlhc_magn", "lsm303dlhc_accel"], reading("polled"), reading("polled"))

    def test_mpu9250_tilted_polled(self):
        self.check_tilted(["mpu9250"], reading("polled"), reading("polled"))

    def test_hmc5883l_with_lsm6ds3_tilted(self):
        """Its two halves are two devices. Emulated, and without its interrupt, its gyroscope gives ten readings a second: too few
        for quick turns."""
        self.check_tilted(["hmc5883l", "lsm6ds3"], reading("buffer"), reading("auto"), slew=10, seconds=30)

    def test_hmc5883l_with_bmc150_tilted(self):
        self.check_tilted(["hmc5883l", "bmc150_accel"], reading("polled"), reading("auto"))

    def test_hmc5883l_with_mpu6050_tilted(self):
        self.check_tilted(["hmc5883l", "mpu6050"], reading("polled"), reading("auto"))

    def test_chips_turned_against_each_other(self):
        self.plug("hmc5883l")
        self.plug("lis3dh")
        self.sim("mounted hmc5883l 90", "mounted lis3dh -90")
        self.sail({"magnetometer": {"axes": "+y +x -z"}, "accelerometer": {"axes": "-y -x -z"}})
        self.wait_status("online", "accelerometer")
        for heading, pitch, roll in TILTED:
            self.sim(f"pitch {pitch}", f"roll {roll}", f"heading {heading}")
            self.check_heading(heading)

    def test_hard_iron_of_the_config_is_taken_off(self):
        self.plug("hmc5883l")
        self.sim("offset 0.1 0 0")
        self.sail({"magnetometer": reading("polled", hard_iron="10 0 0")})
        self.check_headings()

    def test_hid_field_polled(self):
        self.check_chip("hid", "polled", output="field")

    def test_hid_field_buffered(self):
        self.plug("hid")
        self.sail({"magnetometer": {"mode": "buffer", "output": "field"}})
        self.check_headings()

    def test_hid_heading_polled(self):
        self.plug("hid")
        self.sail({"magnetometer": {"mode": "polled", "output": "heading"}})
        self.check_headings()

    def test_hid_heading_buffered(self):
        self.plug("hid")
        self.sail({"magnetometer": {"mode": "buffer", "output": "heading"}})
        self.check_headings()

    def test_headings_carry_the_moment_of_measurement(self):
        """Turning 18 degrees a second, a heading a tenth of a second late is two degrees wrong."""
        for mode in ("buffer", "polled"):
            with self.subTest(mode):
                self.plug("hmc5883l")
                self.sim("heading 0")
                self.sail({"magnetometer": reading(mode), "heading": {"smoothing": "0"}})
                self.check_heading(0)
                self.turn(seconds=4)
                self.compare_with_truth()
                self.end_agent()
                self.unplug("hmc5883l")

    def test_gyroscope_gives_the_rate_of_turn(self):
        self.plug("mpu9250")
        self.sail({"magnetometer": reading("polled"), "heading": {"smoothing": "0"}})
        self.wait_status("online", "gyroscope")
        self.turn(seconds=4)
        self.compare_with_truth()
        self.assertAlmostEqual(self.subscriber.payload("rate_of_turn")["value"], 18 * 60, delta=30)

    def turn(self, seconds):
        """18 degrees a second to starboard."""
        self.sim("rate 200", "log 1", "spin 20")
        time.sleep(0.5)
        self.subscriber.forget()
        time.sleep(seconds)

    def compare_with_truth(self):
        messages = self.subscriber.of("heading/magnetic")
        truths = self.truths()
        self.sim("log 0", "rate 50")
        self.assertGreater(len(messages), 20)
        errors = []
        for message in messages:
            payload = json.loads(message.payload)
            truth = heading_at(truths, moment(payload["time"]))
            if truth is not None:
                errors.append(apart(payload["value"], truth))
        self.assertGreater(len(errors), 20)
        self.assertLess(sorted(errors)[len(errors) * 95 // 100], 2, errors)


def add_test(chip, mode, *headings):
    setattr(HeadingTests, f"test_{chip}_{mode}", lambda self: self.check_chip(chip, mode, *headings))


for name in BUFFERED:
    add_test(name, "buffer")
for name in POLLED:
    add_test(name, "polled")
for name in AUTOMATIC:
    add_test(name, "auto", 90, 200)
