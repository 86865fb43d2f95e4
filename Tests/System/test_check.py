"""The command line, and what `check` says of config files that are good, bad and no files at all."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import support

STANDARD = pathlib.Path("/etc/compass-mqtt.conf")
NOBODY = 65534


def agent(*arguments, **options):
    return subprocess.run(
        [support.BINARY, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, **options)


class Folder(unittest.TestCase):
    """A folder of its own for each test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="compass-check-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o755)

    def file(self, name, content, mode=0o644):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        path.chmod(mode)
        return path


class CheckTests(Folder):
    def assert_faults(self, path, *lines):
        result = agent("check", path)
        self.assertEqual(result.stderr.splitlines(), [line.format(f=path) for line in lines])
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, 2)

    def test_a_good_file(self):
        path = self.file("boat.conf", "[agent]\nid = boat\n")
        result = agent("check", path)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"{path}: no faults\n", ""))

    def test_the_sample_config_is_good(self):
        result = agent("check", support.PROJECT / "config/compass-mqtt.conf")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_every_fault_is_told_with_file_and_line(self):
        path = self.file("boat.conf", "[mqtt]\nprot = 1883\nport = 70000\n\n[magnetometer]\naxes = +x +y -z\n")
        self.assert_faults(
            path,
            "{f}:2: mqtt.prot: unknown key, nearest is port",
            '{f}:3: mqtt.port: "70000" is out of range, allowed: 1 to 65535',
            '{f}:6: magnetometer.axes: "+x +y -z" mirrors (determinant -1): an axis has the wrong sign, or two are '
            "exchanged, allowed: x, y and z in the order forward, starboard, down, each with + or -, a turn and not a "
            "mirror image")

    def test_effective_prints_all_settings_and_where_they_come_from(self):
        path = self.file("boat.conf", "[mqtt]\nhost = boat.local # mine\n")
        result = agent("check", "--effective", path)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, rf"(?m)^host = boat\.local +# {re.escape(str(path))}:2$")
        self.assertRegex(result.stdout, r"(?m)^keepalive = 30 +# default$")
        again = self.file("again.conf", result.stdout)
        self.assertEqual(agent("check", again).returncode, 0)
        values = [re.sub(" +#.*", "", text) for text in (result.stdout, agent("check", "--effective", again).stdout)]
        self.assertEqual(*values)

    def test_what_is_no_config_file(self):
        self.assert_faults(self.folder / "none.conf", "{f}: No such file or directory, allowed: a config file")
        self.assert_faults(self.folder, "{f}: is a directory, allowed: a config file")
        self.assert_faults("/dev/zero", "{f}: is not a regular file, allowed: a config file")
        self.assert_faults(self.file("empty.conf", ""), "{f}:1: the file is empty, allowed: settings")
        self.assert_faults(self.file("binary.conf", b"\x7fELF\n\x00\n"), "{f}:2: byte 0, allowed: a text file")
        self.assert_faults(
            self.file("large.conf", "#" * 70_000), "{f}: the file is too large, allowed: up to 65536 bytes")

    def test_a_pipe_does_not_block(self):
        os.mkfifo(self.folder / "pipe")
        self.assert_faults(self.folder / "pipe", "{f}: is not a regular file, allowed: a config file")

    @unittest.skipUnless(os.getuid() == 0, "needs root to become someone else")
    def test_a_file_that_may_not_be_read(self):
        path = self.file("boat.conf", "[agent]\n", mode=0o600)
        result = agent("check", path, user=NOBODY, group=NOBODY)
        self.assertEqual(result.stderr, f"{path}: Permission denied, allowed: a config file\n")
        self.assertEqual(result.returncode, 2)

    @unittest.skipIf(STANDARD.exists(), f"{STANDARD} is there")
    def test_without_a_file_the_defaults_are_in_force(self):
        result = agent("check")
        self.assertEqual(result.returncode, 0)
        self.assertIn(f"no {STANDARD}: all settings stand at their defaults", result.stderr)


class NamedFilesTests(Folder):
    """The files that the settings name: `check` looks at them, not into them."""

    SECRET = "correct horse"

    def check(self, lines, **options):
        self.config = self.file("boat.conf", "[mqtt]\n" + lines)
        return agent("check", "--effective", self.config, **options)

    def test_a_password_file_of_the_owner_alone_is_good(self):
        password = self.file("password", self.SECRET, mode=0o600)
        result = self.check(f"username = a\npassword_file = {password}\n")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertNotIn(self.SECRET, result.stdout)

    def test_a_password_file_that_others_can_read_is_refused(self):
        for mode in (0o644, 0o604, 0o640):
            password = self.file("password", self.SECRET, mode=mode)
            result = self.check(f"username = a\npassword_file = {password}\n")
            self.assertEqual(
                result.stderr,
                f'{self.config}:3: mqtt.password_file: "{password}" can be read by others, allowed: chmod 600 {password}\n')
            self.assertEqual(result.returncode, 2)
            self.assertNotIn(self.SECRET, result.stdout + result.stderr)

    def test_a_missing_or_empty_password_file_is_an_error(self):
        missing = self.check("username = a\npassword_file = /nowhere/password\n")
        self.assertIn('"/nowhere/password" cannot be read (No such file or directory)', missing.stderr)
        empty = self.check(f"username = a\npassword_file = {self.file('password', '', mode=0o600)}\n")
        self.assertIn("is empty", empty.stderr)
        self.assertEqual((missing.returncode, empty.returncode), (2, 2))

    def test_missing_tls_files_are_errors_each_with_its_line(self):
        result = self.check("tls = yes\ntls_ca = /nowhere/ca\ntls_cert = /nowhere/cert\ntls_key = /nowhere/key\n")
        self.assertEqual(
            [line.split(": ")[:2] for line in result.stderr.splitlines()],
            [[f"{self.config}:{line}", f"mqtt.{key}"] for line, key in ((3, "tls_ca"), (4, "tls_cert"), (5, "tls_key"))])
        self.assertEqual(result.returncode, 2)

    def test_a_tls_file_that_is_a_folder_is_an_error(self):
        result = self.check(f"tls = yes\ntls_ca = {self.folder}\n")
        self.assertIn("is a directory", result.stderr)
        self.assertEqual(result.returncode, 2)

    @unittest.skipUnless(os.getuid() == 0, "needs root to become someone else")
    def test_a_file_that_only_the_agent_may_read_is_a_warning(self):
        password = self.file("password", self.SECRET, mode=0o600)
        result = self.check(f"username = a\npassword_file = {password}\n", user=NOBODY, group=NOBODY)
        self.assertIn("cannot be read (Permission denied)", result.stderr)
        self.assertIn("(warning)", result.stderr)
        self.assertEqual(result.returncode, 0)

    def test_a_credential_of_the_service_is_a_warning(self):
        result = self.check("username = a\npassword_file = credential:password\n")
        self.assertEqual(
            result.stderr,
            f'{self.config}:3: mqtt.password_file: "credential:password" cannot be seen here, '
            "allowed: LoadCredential= or the like in the service (warning)\n")
        self.assertEqual(result.returncode, 0)
        self.assertIn("password_file = credential:password", result.stdout)

    def test_a_password_in_place_of_its_file_is_not_shown(self):
        for lines in (f"username = a\npassword_file = {self.SECRET}\n", f"password = {self.SECRET}\n", f"{self.SECRET}\n"):
            result = self.check(lines)
            self.assertEqual(result.returncode, 2)
            self.assertNotIn(self.SECRET, result.stdout + result.stderr)


class CommandLineTests(Folder):
    def test_help(self):
        result = agent("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for word in ("check", "--simulate", "--config", "--version"):
            self.assertIn(word, result.stdout)
        result = agent("check", "--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("--effective", result.stdout)

    def test_version(self):
        result = agent("--version")
        self.assertRegex(result.stdout, r"\Acompass-mqtt \d+\.\d+\.\d+ \(libmosquitto \d+\.\d+\.\d+\)\n\Z")
        self.assertEqual(result.returncode, 0)

    def test_wrong_usage_is_status_2_and_one_line(self):
        for arguments, reason in (
            (["chekc"], "unknown command chekc, nearest is check"),
            (["--simulat"], "unknown option --simulat"),
            (["run", "--config"], "--config needs a value"),
            (["check", "a", "b"], "unexpected argument b"),
            (["check", "--efective"], "unknown option --efective"),
        ):
            result = agent(*arguments)
            self.assertEqual(result.stderr, f"compass-mqtt: {reason} (see compass-mqtt --help)\n")
            self.assertEqual((result.returncode, result.stdout), (2, ""))

    def test_a_wrong_config_never_starts_half(self):
        path = self.file("boat.conf", "[agent]\nid = boat\n[mqtt]\nport = x\nqos = 1\n")
        result = agent("--config", path)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f'{path}:4: mqtt.port: "x" is not a plain number', result.stderr)
        self.assertIn(f"{path}:5: mqtt.qos: unknown here, is a key of [publish]", result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 2)

    def test_a_missing_config_that_was_asked_for_ends_it(self):
        result = agent("--config", "/nowhere/boat.conf")
        self.assertEqual(result.returncode, 2)
        self.assertIn("/nowhere/boat.conf: No such file or directory", result.stderr)


if __name__ == "__main__":
    unittest.main()
