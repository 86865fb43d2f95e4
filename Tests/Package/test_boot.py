"""A Debian with systemd that has the package installed, booted in QEMU on real IIO drivers: the nearest thing to a Pi.

What the units allow the service, and what they deny it, shows nowhere else.
"""
import pathlib
import platform
import subprocess
import sys
import tempfile
import unittest

from debian import PROJECT, Root, package

sys.path.insert(0, str(PROJECT / "Tests/Kernel"))
from machine import kernel                                      # noqa: E402
from machine.image import Tree                                  # noqa: E402
from machine.machine import HOST, Machine, furnish              # noqa: E402
from support import Broker, Subscriber, wait_until              # noqa: E402
from vessel import apart                                        # noqa: E402

BASE = "compass/boat"
SUITE = "bookworm"
SERVE = """[Unit]
DefaultDependencies=no
[Service]
Environment=PATH=/usr/sbin:/usr/bin:/opt/busybox HOME=/root
ExecStart=/bin/busybox sh /usr/bin/serve
KillMode=process
[Install]
WantedBy=multi-user.target
"""


class Boot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if platform.machine() != "x86_64":
            raise unittest.SkipTest("the guest is an amd64 one, and so must be the package")
        cls.broker = cls.enterClassContext(Broker())
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.make_disk(folder / "disk")
        cls.machine = Machine(disk=folder / "disk")
        cls.addClassCleanup(cls.machine.close)

    @classmethod
    def make_disk(cls, disk):
        root = Root(SUITE)
        try:
            root.run("apt-get install -y -q --no-install-recommends systemd-sysv udev libmicrohttpd12")
            root.bring(package(), "/root/compass-mqtt.deb")
            root.run("apt-get install -y -q --no-install-recommends /root/compass-mqtt.deb")
            root.write("/etc/compass-mqtt.conf", f"[agent]\nid = boat\n[gps]\nenabled = no\n[heading]\nsmoothing = 0.2\n"
                       f"[mqtt]\nhost = {HOST}\nport = {cls.broker.port}\n")
            root.write("/etc/systemd/system/serve.service", SERVE)
            root.run("systemctl enable serve && echo uninitialized > /etc/machine-id")
            version = kernel.release()
            furnish(Tree(root.path), kernel.folder(version), version)
            root.run("mkdir /opt/busybox && /bin/busybox --install -s /opt/busybox")
            root.make_disk(disk)
        finally:
            root.close()

    def run_in(self, command, timeout=120):
        return self.machine.run(command, timeout).strip()

    def journal(self):
        return self.run_in("journalctl -b --no-pager -u compass-mqtt")

    def wait_active(self, unit="compass-mqtt", seconds=120):
        wait_until(lambda: self.run_in(f"systemctl is-active {unit} || :") == "active", seconds,
                   lambda: f"{unit} is active\n{self.run_in(f'systemctl status --no-pager -l {unit} || :')}")

    def main_process(self):
        return int(self.run_in("systemctl show --value -p MainPID compass-mqtt"))

    def turn(self, subscriber, *headings):
        for heading in headings:
            self.run_in(f"sim slew 0 && sim heading {heading}")
            subscriber.wait_for("heading/magnetic", lambda payload: payload and apart(payload["value"], heading) < 2, 60)

    def test_1_the_service_is_up_before_any_network_and_publishes_the_turned_sensors_heading(self):
        self.wait_active()
        self.assertEqual(self.run_in("systemctl show --value -p NRestarts compass-mqtt"), "0")
        with Subscriber(self.broker, [BASE + "/#"], BASE) as subscriber:
            subscriber.wait_for("status", lambda payload: payload == "online", 90)
            self.run_in("iio-trig steady 20; plug hmc5883l")
            subscriber.wait_for("magnetometer/status", lambda payload: payload == "online", 60)
            self.turn(subscriber, 90, 200, 359)
        # The buffer needs the device's node and the driver's attributes, which the udev rule gives a moment later.
        wait_until(lambda: "magnetic field at 20 Hz, by its buffer" in self.journal(), 120, self.journal)
        with Subscriber(self.broker, [BASE + "/#"], BASE) as subscriber:
            self.turn(subscriber, 30, 270)

    def test_2_nothing_is_denied_that_the_service_needs(self):
        self.run_in("! journalctl -b --no-pager | grep -iE 'SIGSYS|audit.*compass|compass-mqtt.*(not permitted|read-only)'")

    def test_3_the_service_sees_only_what_it_needs(self):
        inside = f"nsenter -t {self.main_process()} -m -- "
        self.run_in(f"{inside} touch /var/lib/compass-mqtt/file && rm /var/lib/compass-mqtt/file")
        self.run_in(f"{inside} sh -c 'echo add > /sys/devices/system/cpu/uevent'")
        for file in ("/etc/file", "/usr/file", "/root/file", "/sys/kernel/uevent_helper"):
            self.run_in(f"! {inside} touch {file}")
        self.run_in(f"! {inside} sh -c 'echo 1 > /proc/sys/kernel/sysrq'")

    def test_4_a_calibration_reaches_the_running_agent(self):
        for user in ("compass-mqtt", "root"):
            output = self.run_in(f"setpriv --reuid={user} --regid={user} --clear-groups compass-mqtt calibrate --seconds 2 || :")
            self.assertIn("calibrating with the running agent's own samples", output)
        self.assertEqual(self.run_in("find /var/lib/compass-mqtt ! -user compass-mqtt"), "")

    def test_5_a_reload_and_an_upgrade_go_on_publishing(self):
        process = self.main_process()
        self.run_in("systemctl reload compass-mqtt")
        self.assertEqual(self.main_process(), process)
        self.run_in("systemctl enable --now compass-mqtt-dashboard")
        self.run_in("dpkg -i /root/compass-mqtt.deb")
        self.wait_active()
        self.wait_active("compass-mqtt-dashboard")
        self.assertNotEqual(self.main_process(), process)
        self.run_in("wget -q -O - http://127.0.0.1:8360/ | grep -q '<html'")

    def test_6_one_that_hangs_or_dies_is_started_again(self):
        for signal in ("KILL", "STOP"):
            process = self.main_process()
            self.run_in(f"kill -{signal} {process}")
            wait_until(lambda: self.main_process() not in (process, 0), 120, self.journal)
            self.wait_active()

    def test_7_a_credential_logs_in(self):
        self.run_in("mkdir -p /etc/systemd/system/compass-mqtt.service.d /etc/credstore && echo secret > /etc/credstore/mqtt && "
                    "chmod 600 /etc/credstore/mqtt")
        self.machine.write("/etc/systemd/system/compass-mqtt.service.d/password.conf",
                           "[Service]\nLoadCredential=mqtt-password:/etc/credstore/mqtt\n")
        self.run_in("printf 'username = boat\npassword_file = credential:mqtt-password\n' >> /etc/compass-mqtt.conf")
        self.run_in("systemctl daemon-reload && systemctl restart compass-mqtt")
        self.wait_active()
        began = self.run_in("systemctl show --value -p ExecMainStartTimestamp compass-mqtt")
        wait_until(lambda: "connected" in self.run_in(f"journalctl --no-pager -u compass-mqtt --since '{began}'"), 60, self.journal)

    def test_8_a_purge_stops_both_and_leaves_nothing(self):
        self.run_in("dpkg --purge compass-mqtt")
        self.run_in("! pgrep -x compass-mqtt")
        self.assertEqual(self.run_in("find /etc /usr /var/lib /run -name '*compass-mqtt*' ! -path '*/dpkg/*' ! -path '*.service.d*'"), "")


if __name__ == "__main__":
    unittest.main()
