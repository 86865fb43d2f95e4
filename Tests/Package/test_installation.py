"""The package in fresh Debian roots: installed, upgraded, removed, purged, and what it installs at work."""
import tempfile
import unittest
import urllib.request

from debian import Root, altered, package
from support import Broker, Process, Subscriber, accepts_connections, free_port, wait_until

CONFIG = "/etc/compass-mqtt.conf"
STATE = "/var/lib/compass-mqtt"
LINKS = "/etc/systemd/system/multi-user.target.wants"


class Program(Process):
    """A command in a root, as the service's user, with its output in a log."""

    def __init__(self, root, command):
        super().__init__("installed")
        self.root, self.command = root, command

    def start(self):
        self.launch(self.root.arguments(
            f"exec setpriv --reuid=compass-mqtt --regid=compass-mqtt --clear-groups compass-mqtt {self.command}"))


class Installation:
    """Each test has a root to itself."""

    suite = None

    def setUp(self):
        self.root = Root(self.suite)
        self.addCleanup(self.root.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def install(self, file, options=""):
        self.root.bring(file, "/tmp/package.deb")
        return self.root.run(f"apt-get install -y -q --no-install-recommends --allow-downgrades {options} /tmp/package.deb")

    def test_installs_what_runs_and_enables_the_agent_alone(self):
        self.install(package())
        run = self.root.run
        version = run("dpkg-query -W -f '${Version}' compass-mqtt")
        self.assertRegex(run("compass-mqtt --version"), rf"^compass-mqtt {version} ")
        self.assertEqual(run(f"compass-mqtt check {CONFIG} >&2; echo $?").splitlines()[-1], "0")
        self.assertEqual(run("id -gn compass-mqtt").strip(), "compass-mqtt")
        self.assertEqual(run(f"stat -c '%a %U' {CONFIG}").strip(), "644 root")
        self.assertTrue(self.root.succeeds(f"test -L {LINKS}/compass-mqtt.service"))
        self.assertFalse(self.root.succeeds(f"test -e {LINKS}/compass-mqtt-dashboard.service"))
        self.assertEqual(run("systemd-analyze verify --man=no compass-mqtt.service compass-mqtt-dashboard.service"), "")
        run("udevadm --version; test -e /usr/lib/udev/rules.d/99-compass-mqtt.rules")

    def test_publishes_and_serves_the_page(self):
        self.install(package())
        # What apt installs unless told not to; its name differs between the suites.
        self.root.run("apt-get install -y -q --no-install-recommends libmicrohttpd12t64 || apt-get install -y -q libmicrohttpd12")
        self.root.run(f"install -d -o compass-mqtt -g compass-mqtt {STATE}")
        page = free_port()
        with Broker() as broker, Subscriber(broker, ["compass/#"], "compass/root-simulated") as subscriber:
            self.root.write(CONFIG, f"[agent]\nid = root\n[mqtt]\nport = {broker.port}\n[dashboard]\nport = {page}\n")
            with Program(self.root, "run --simulate"), Program(self.root, "dashboard"):
                subscriber.wait_for("heading", bool, 30)
                wait_until(lambda: accepts_connections(page), 30, "the dashboard listens")
                with urllib.request.urlopen(f"http://127.0.0.1:{page}/", timeout=10) as answer:
                    self.assertIn(b"<html", answer.read())

    def test_an_upgrade_keeps_an_edited_config_and_the_state(self):
        self.install(altered(package(), self.folder, "0.0.1", lambda text: text))
        self.root.run(f"sed -i 's/^rate = 5$/rate = 4/' {CONFIG} && mkdir -p {STATE} && echo learned > {STATE}/state.conf")
        self.install(package())
        self.assertIn("rate = 4", self.root.run(f"cat {CONFIG}"))
        self.assertEqual(self.root.run(f"cat {STATE}/state.conf"), "learned\n")
        self.assertTrue(self.root.succeeds(f"test -L {LINKS}/compass-mqtt.service"))

    def test_an_upgrade_with_another_default_keeps_an_edited_config_and_renews_an_unedited_one(self):
        older = altered(package(), self.folder, "0.0.1", lambda text: text + "# older\n")
        self.install(older)
        self.install(package())
        self.assertNotIn("# older", self.root.run(f"cat {CONFIG}"))
        self.install(older, "-o Dpkg::Options::=--force-confnew")
        self.root.run(f"sed -i 's/^rate = 5$/rate = 4/' {CONFIG}")
        self.install(package(), "-o Dpkg::Options::=--force-confold")
        self.assertIn("rate = 4", self.root.run(f"cat {CONFIG}"))

    def test_an_upgrade_leaves_a_disabled_agent_and_an_enabled_dashboard_so(self):
        self.install(altered(package(), self.folder, "0.0.1", lambda text: text))
        self.root.run("systemctl disable compass-mqtt && systemctl enable compass-mqtt-dashboard")
        self.install(package())
        self.assertFalse(self.root.succeeds(f"test -e {LINKS}/compass-mqtt.service"))
        self.assertTrue(self.root.succeeds(f"test -L {LINKS}/compass-mqtt-dashboard.service"))

    def test_removing_keeps_what_is_the_operators_and_purging_keeps_nothing(self):
        # As it is on every machine; it makes files that no package owns.
        self.root.run("apt-get install -y -q --no-install-recommends systemd")
        before = self.root.files()
        self.install(package())
        self.root.run(f"mkdir -p {STATE} && touch {STATE}/state.conf && systemctl enable compass-mqtt-dashboard")
        self.root.run("apt-get remove -y -q compass-mqtt")
        self.assertTrue(self.root.succeeds(f"test -e {CONFIG} && test -e {STATE}/state.conf && ! test -e /usr/bin/compass-mqtt"))
        self.root.run("apt-get purge -y -q compass-mqtt && apt-get autoremove --purge -y -q")
        self.assertEqual(self.root.files() - before, set())

    def test_it_installs_where_there_is_no_systemd(self):
        self.root.run("apt-get install -y -q --no-install-recommends systemd-standalone-sysusers")
        self.install(package())
        self.assertFalse(self.root.succeeds("command -v systemctl"))
        self.root.run("getent passwd compass-mqtt && compass-mqtt check && apt-get purge -y -q compass-mqtt")


class Debian12(Installation, unittest.TestCase):
    suite = "bookworm"


class Debian13(Installation, unittest.TestCase):
    suite = "trixie"


if __name__ == "__main__":
    unittest.main()
