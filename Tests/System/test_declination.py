"""compass-mqtt declination as a person or a script runs it."""
import json
import os
import subprocess
import unittest

from support import BINARY, Locales


def declination(*arguments, lines=None, environment=None):
    return subprocess.run(
        [BINARY, "declination", *arguments], input=lines, capture_output=True, text=True, timeout=10,
        env={**os.environ, **(environment or {})})


class Declination(unittest.TestCase):
    def test_one_place_for_people(self):
        result = declination("50.37", "-4.14", "--date", "2026-12-01")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("declination   0.0°", result.stdout)
        self.assertNotIn("-0.0", result.stdout)

    def test_json_and_height(self):
        # Resolute: computed with GeographicLib; 100 m taken for 100 km would give -13.31.
        result = declination("74.7", "-94.9", "--height", "100", "--date=2026-12-01", "--json")
        answer = json.loads(result.stdout)
        self.assertAlmostEqual(answer["declination"], -14.67, delta=0.005)
        self.assertEqual(answer["height"], 100)

    def test_lines(self):
        text = "47.6 -122.34 0 2026-12-01\n\n# a comment\n-33.9 18.4 0 2026.9151\r\nhello\n-33.85 151.25 0 2026-12-01"
        result = declination("-", lines=text)
        self.assertEqual(result.returncode, 1)
        values = [float(line.split()[0]) for line in result.stdout.splitlines()]
        for value, expected in zip(values, [14.854, -26.802, 12.836], strict=True):
            self.assertAlmostEqual(value, expected, delta=0.0005)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn("line 5:", result.stderr)

    def test_expired_date_is_computed_and_said(self):
        result = declination("50.3", "-4.2", "--date", "2030-01-02")
        self.assertEqual(result.returncode, 0)
        self.assertIn("total F", result.stdout)
        self.assertIn("outside WMM2025", result.stderr)

    def test_the_locale_changes_nothing(self):
        plain = declination("47.6", "-122.34", "--date", "2026-12-01", "--json").stdout
        with Locales() as locales:
            for environment in locales.environments:
                again = declination("47.6", "-122.34", "--date", "2026-12-01", "--json", environment=environment).stdout
                self.assertEqual(again, plain)

    def test_wrong_usage_is_status_2_and_one_line(self):
        for arguments in ([], ["50"], ["91", "0"], ["0", "361"], ["0", "0", "--date", "2026-02-30"],
                          ["0", "0", "--height", "high"], ["0", "0", "0"], ["-", "--date", "2026"], ["0", "0", "--x"]):
            result = declination(*arguments, lines="")
            self.assertEqual(result.returncode, 2, arguments)
            self.assertEqual(len(result.stderr.splitlines()), 1, arguments)
            self.assertEqual(result.stdout, "", arguments)
