"""SECURITY.md claims nothing that no test backs: each test that it names is there."""
import re
import unittest

from support import PROJECT

PAGE = (PROJECT / "SECURITY.md").read_text()


class Security(unittest.TestCase):
    def test_each_test_that_it_names_is_there(self):
        there = set()
        for file in (PROJECT / "Tests").glob("*/test_*.py"):
            there.update(re.findall(r"def (test_\w+)\(", file.read_text()))
        named = set(re.findall(r"`(test_\w+)`", PAGE))
        self.assertGreater(len(named), 30)
        self.assertEqual(named - there, set())

    def test_each_swift_test_that_it_names_is_there(self):
        named = re.findall(r'`(\w+Tests)`: "([^"]+)"', PAGE)
        self.assertGreater(len(named), 5)
        for suite, title in named:
            with self.subTest(suite=suite, title=title):
                files = list((PROJECT / "Tests").rglob(f"{suite}.swift"))
                self.assertEqual(len(files), 1)
                self.assertIn(f'"{title}"', files[0].read_text())

    def test_the_files_and_settings_that_it_names_are_there(self):
        for path in re.findall(r"`((?:deploy|Tests)/[\w./-]+)`", PAGE):
            self.assertTrue((PROJECT / path).exists(), path)
        settings = (PROJECT / "config/compass-mqtt.conf").read_text()
        for section, key in re.findall(r"`\[(\w+)\] (\w+)", PAGE):
            self.assertIn(f"[{section}]", settings)
            self.assertRegex(settings, rf"(?m)^#?{key} = ")


if __name__ == "__main__":
    unittest.main()
