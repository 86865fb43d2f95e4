"""The package that was cross-built for arm64, as far as an amd64 machine can tell: its program runs under qemu-user."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from debian import PROJECT
from support import BASE, Agent, Broker, Subscriber

SYSROOT = PROJECT / ".build/arm64/root"


@unittest.skipUnless(list((PROJECT / ".build/deb-arm64").glob("*.deb")) and shutil.which("qemu-aarch64-static"), "no arm64 package: make deb ARCH=arm64")
class Arm64(unittest.TestCase):
    def setUp(self):
        self.package, = (PROJECT / ".build/deb-arm64").glob("*_arm64.deb")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        subprocess.run(["dpkg-deb", "--extract", self.package, self.tree], check=True)
        self.program = ["qemu-aarch64-static", "-L", str(SYSROOT), str(self.tree / "usr/bin/compass-mqtt")]

    def test_arm64_package_is_one_that_lintian_accepts(self):
        subprocess.run(["lintian", "--allow-root", "--fail-on", "warning", self.package], check=True)
        depends = subprocess.run(["dpkg-deb", "-f", self.package, "Architecture", "Depends"], check=True, capture_output=True, text=True).stdout
        self.assertIn("Architecture: arm64", depends)
        self.assertRegex(depends, r"libc6 \(>= 2\.\d+\), libcjson1, libmosquitto1")

    def test_arm64_program_tells_its_version_and_publishes_a_simulated_vessel(self):
        version = subprocess.run([*self.program, "--version"], check=True, capture_output=True, text=True).stdout
        self.assertRegex(version, r"^compass-mqtt \d")
        with Broker() as broker, Subscriber(broker) as subscriber, Emulated(self.program, broker):
            heading = subscriber.wait_for("heading", bool, 60)
            self.assertTrue(0 <= heading["value"] < 360)


class Emulated(Agent):
    def __init__(self, program, broker):
        super().__init__(broker, arguments=["run", "--simulate"])
        self.program = program

    def launch(self, arguments, **options):
        super().launch([*self.program, *arguments[1:]], **options)


if __name__ == "__main__":
    unittest.main()
