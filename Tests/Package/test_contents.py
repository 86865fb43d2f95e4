"""What the package holds: rules kept, units tight, pages and completion complete."""
import gzip
import hashlib
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from debian import PROJECT, package
from support import BINARY

MOST_EXPOSURE = 2.0
UNITS = ("compass-mqtt.service", "compass-mqtt-dashboard.service")


def output(*arguments, **options):
    return subprocess.run(arguments, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def field(name):
    return output("dpkg-deb", "--field", package(), name).strip()


class Contents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.tree = pathlib.Path(folder.name)
        output("dpkg-deb", "--extract", package(), cls.tree)
        help_text = output(BINARY, "--help")
        cls.commands = re.findall(r"^  compass-mqtt \[?([a-z]+)", help_text, re.M)
        cls.help = {command: output(BINARY, command, "--help") for command in cls.commands}

    def page(self, name):
        with gzip.open(self.tree / "usr/share/man" / name, "rt") as page:
            return page.read().replace("\\-", "-")

    def options(self, command):
        return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", self.help[command])) - {"--help"}

    def test_lintian_has_no_warning(self):
        done = subprocess.run(
            ["lintian", "--allow-root", "--fail-on", "warning", package()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_its_version_is_the_programs(self):
        self.assertEqual(field("Version"), output(BINARY, "--version").split()[1])
        with gzip.open(self.tree / "usr/share/doc/compass-mqtt/changelog.gz", "rt") as changelog:
            self.assertTrue(changelog.readline().startswith(f"compass-mqtt ({field('Version')}) "))

    def test_it_depends_on_the_libraries_that_are_linked_and_only_recommends_the_dashboards(self):
        self.assertLessEqual({"libc6", "libmosquitto1", "libcjson1"}, set(re.findall(r"[\w.+-]+", field("Depends"))))
        self.assertNotIn("microhttpd", field("Depends"))
        self.assertIn("libmicrohttpd12t64 | libmicrohttpd12", field("Recommends"))

    def test_the_same_binary_gives_the_same_package(self):
        before = hashlib.sha256(package().read_bytes()).hexdigest()
        output(PROJECT / "tools/build-deb")
        self.assertEqual(hashlib.sha256(package().read_bytes()).hexdigest(), before)

    def test_units_are_exposed_no_more_than_allowed(self):
        for unit in UNITS:
            with self.subTest(unit):
                verdict = output(
                    "systemd-analyze", "security", "--no-pager", "--offline=true",
                    f"--threshold={MOST_EXPOSURE * 10:.0f}", PROJECT / "deploy" / unit)
                exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", verdict)[1]
                self.assertLessEqual(float(exposure), MOST_EXPOSURE)

    def test_units_start_at_any_time_and_again_for_ever(self):
        for unit in UNITS:
            text = (PROJECT / "deploy" / unit).read_text()
            for line in ["Type=notify", "Restart=always", "StartLimitIntervalSec=0", "CapabilityBoundingSet="]:
                self.assertRegex(text, rf"(?m)^{line}$", unit)
            self.assertRegex(text, r"(?m)^WatchdogSec=\d+$")
            # Without a network, or with a clock that nothing sets, these may never be reached.
            settings = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
            self.assertNotRegex(settings, r"network-online|time-sync|time-set|Requires=|BindsTo=")

    def test_the_programs_page_has_every_command_and_option(self):
        page = self.page("man1/compass-mqtt.1.gz")
        for command in self.commands:
            self.assertRegex(page, rf"(?m)^\.SS compass-mqtt \[?{command}\b")
            for option in self.options(command):
                self.assertRegex(page, rf"(?m)^\.B {option}\b|[ \[]{option}\b", command)

    def test_the_configs_page_has_every_setting_with_its_default(self):
        page = self.page("man5/compass-mqtt.conf.5.gz")
        effective = output(BINARY, "check", "--effective", PROJECT / "config/compass-mqtt.conf")
        for section, body in re.findall(r"^\[(\w+)\]\n(.*?)(?=^\[|\Z)", effective, re.M | re.S):
            part = re.search(rf"^\.SS \[{section}\]\n(.*?)(?=^\.S[SH])", page, re.M | re.S)[1]
            keys = re.findall(r"^#? ?(\w+) =", body, re.M)
            self.assertTrue(keys, section)
            for key in keys:
                self.assertRegex(part, rf"(?m)^\.B {key}$", section)
            for key, default in re.findall(r"^(\w+) = (.*?) +# default", body, re.M):
                self.assertRegex(part, rf"(?ms)^\.B {key}$.*?^Default: \\fB{re.escape(default)}\\fR$")

    def test_completion_offers_every_command_and_option_and_no_other(self):
        general = set(self.completed("compass-mqtt", ""))
        self.assertLessEqual(set(self.commands) | {"--version", "--help", "--config", "--simulate"}, general)
        for command in self.commands:
            with self.subTest(command):
                self.assertEqual(set(self.completed("compass-mqtt", command, "--")), self.options(command) | {"--help"})

    def test_completion_offers_files_where_a_file_is_meant(self):
        for words in [["check", "/etc/host"], ["run", "--config", "/etc/host"], ["replay", "/etc/host"], ["calibrate", "--from", "/etc/host"]]:
            self.assertIn("/etc/hosts", self.completed("compass-mqtt", *words), words)

    def completed(self, *words):
        script = self.tree / "usr/share/bash-completion/completions/compass-mqtt"
        # compopt works only while readline completes.
        lines = 'compopt() { :; }; source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))\n' \
            '_compass_mqtt "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"; printf "%s\\n" "${COMPREPLY[@]}"'
        return output("bash", "-c", lines, "bash", script, *words, env={"PATH": os.environ["PATH"]}).split()


if __name__ == "__main__":
    unittest.main()
