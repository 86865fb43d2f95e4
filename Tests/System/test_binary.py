"""What the shipped binary brings along and what it needs from the machine."""
import os
import re
import subprocess
import unittest

BINARY = os.environ["COMPASS_MQTT"]


def dynamic_section():
    return subprocess.run(["readelf", "-d", BINARY], check=True, capture_output=True, text=True).stdout


class BinaryTests(unittest.TestCase):
    def test_needs_only_mosquitto_cjson_and_libc(self):
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic_section()))
        libc = {name for name in needed if re.match(r"(libc|libm|ld-linux.*)\.so\.\d+$", name)}
        self.assertEqual(needed - libc, {"libmosquitto.so.1", "libcjson.so.1"})

    def test_looks_for_libraries_where_the_system_has_them(self):
        self.assertNotRegex(dynamic_section(), r"\((RPATH|RUNPATH)\)")

    def test_is_under_8_megabytes(self):
        self.assertLess(os.path.getsize(BINARY), 8_000_000)
