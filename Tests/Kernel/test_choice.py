"""Which device is taken, and what a user without privileges can do."""
import pathlib
import shutil
import time

from vessel import AGENT, BINARY, TRIGGER, KernelTestCase

RULES = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy/99-compass-mqtt.rules"
UDEV = shutil.which("udevadm") or ""


class ChoiceTests(KernelTestCase):
    """Two magnetometers; the second one's x arrow points to starboard, so the headings tell which one is read."""

    def setUp(self):
        super().setUp()
        self.first = self.plug("hmc5883l")
        self.second = self.plug("mag3110")
        self.sim("mounted mag3110 90", "heading 20")

    def check(self, selector, heading):
        self.sail({"magnetometer": {"device": selector, "mode": "polled"}})
        self.check_heading(heading)

    def test_by_name(self):
        self.check("name:mag3110", 110)

    def test_by_other_name(self):
        self.check("name:hmc5883l", 20)

    def test_by_bus_address(self):
        self.check("bus:0-000e", 110)

    def test_by_index(self):
        self.check(f"index:{self.second.removeprefix('iio:device')}", 110)

    def test_auto_keeps_its_device_when_another_comes(self):
        self.unplug("mag3110")
        self.check("auto", 20)
        self.plug("mag3110")
        self.sim("mounted mag3110 90", "heading 50")
        self.check_heading(50)
        time.sleep(3)
        self.check_heading(50)

    def test_devices_command_shows_both_and_the_choice(self):
        listing = self.machine.run(f"{AGENT} devices")
        for word in ("hmc5883l", "mag3110", "0-001e", "0-000e"):
            self.assertIn(word, listing)


class PermissionTests(KernelTestCase):
    programs = (BINARY, UDEV)

    def setUp(self):
        if not UDEV:
            self.skipTest("no udevadm here")
        super().setUp()
        self.plug("hmc5883l")
        self.machine.run("chown root:root /dev/iio:*; chmod 600 /dev/iio:*")

    def test_buffer_without_permission_has_a_readable_reason(self):
        self.sail({"magnetometer": {"mode": "buffer", "trigger": TRIGGER}}, user="compass-mqtt")
        reason = self.read("diagnostics", lambda payload: "no permission" in str(payload))["magnetometer"]["reason"]
        self.assertRegex(reason, r"no permission for /dev/iio:device\d")
        self.wait_status("offline")
        self.assertRegex(self.log(), r"no permission for /dev/iio:device\d")

    def test_auto_without_permission_polls(self):
        self.sail({"magnetometer": {"mode": "auto"}}, user="compass-mqtt")
        self.check_heading(0)
        self.assertIn("no permission", self.log())

    def test_permission_that_comes_after_the_device_is_used(self):
        self.sail({"magnetometer": {"mode": "auto", "trigger": TRIGGER}}, user="compass-mqtt")
        self.read("diagnostics", lambda payload: payload["magnetometer"].get("mode") == "polled")
        self.machine.run("chgrp compass-mqtt /dev/iio:*; chmod 660 /dev/iio:*; cd /sys/bus/iio/devices; "
                         "chmod a+w iio:device*/scan_elements/*_en iio:device*/buffer/* iio:device*/trigger/current_trigger "
                         "iio:device*/current_timestamp_clock iio:device*/*sampling_frequency trigger*/sampling_frequency || true")
        self.read("diagnostics", lambda payload: payload["magnetometer"].get("mode") == "buffer")
        self.check_headings(60, 180)

    def test_udev_rules_give_the_permission(self):
        self.machine.run("mkdir -p /etc/udev/rules.d /run/udev")
        self.machine.write("/etc/udev/rules.d/99-compass-mqtt.rules", RULES.read_text())
        self.machine.run("ln -sf udevadm /usr/bin/systemd-udevd; systemd-udevd --daemon; udevadm trigger --subsystem-match=iio; "
                         "udevadm settle")
        self.addCleanup(self.machine.try_run, "udevadm control --exit")
        self.sail({"magnetometer": {"mode": "buffer", "trigger": TRIGGER}}, user="compass-mqtt")
        self.check_headings(0, 120)
        self.unplug("hmc5883l")
        self.plug("hmc5883l")
        self.wait_status("online")
        self.check_headings(240)
