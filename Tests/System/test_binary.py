"""What the shipped binary brings along and what it needs from the machine."""
import os
import re
import subprocess
import unittest

from support import BINARY


def dynamic_section(path):
    return subprocess.run(["readelf", "-d", path], check=True, capture_output=True, text=True).stdout


def needed(path):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic_section(path)))


def path_of(library):
    cache = subprocess.run(["/sbin/ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    return re.search(rf"^\s*{re.escape(library)} .*=> (.*)$", cache, re.M)[1]


class BinaryTests(unittest.TestCase):
    def test_needs_only_mosquitto_cjson_and_what_these_bring(self):
        libc = {name for name in needed(BINARY) if re.match(r"(libc|libm|ld-linux.*)\.so\.\d+$", name)}
        brought = needed(path_of("libmosquitto.so.1"))
        self.assertEqual(needed(BINARY) - libc - brought, {"libmosquitto.so.1", "libcjson.so.1"})

    def test_looks_for_libraries_where_the_system_has_them(self):
        self.assertNotRegex(dynamic_section(BINARY), r"\((RPATH|RUNPATH)\)")

    def test_is_under_10_megabytes(self):
        self.assertLess(os.path.getsize(BINARY), 10_000_000)
