"""What a person sees of `calibrate` at a terminal, and what is left of the terminal afterwards."""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import termios
import time
import unittest

from support import BINARY, wait_until
from terminal import Terminal


class CalibrateAtTerminal(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="compass-terminal-")
        self.addCleanup(folder.cleanup)
        self.state = pathlib.Path(folder.name)
        self.config = self.state / "compass-mqtt.conf"
        self.config.write_text(f"[agent]\nstate_dir = {self.state}\n")

    def calibrate(self, *arguments, **terminal):
        return Terminal([BINARY, "calibrate", "--simulate", "--config", str(self.config), *arguments], **terminal)

    def saved(self):
        return list(self.state.glob("calibration/*.conf"))

    def check_picture(self, screen):
        """A whole picture, drawn once, with all that belongs to it."""
        lines = screen.text.splitlines()
        self.assertTrue(lines[0].startswith("Calibrating with a simulated sensor"), screen.text)
        self.assertIn("+z side", screen.text)
        self.assertIn("-z side", screen.text)
        discs = [line for line in lines if re.fullmatch(r" *[o.@][ o.@]*", line)]
        self.assertEqual(len(discs), 15, screen.text)
        self.assertGreater(max(map(len, discs)), 58)
        for mark in (r"^\[#*-*\] +\d+ %$", r"^residual (\d+\.\d\d|-) µT, \d+ samples, (good|usable|insufficient)$", r"^next: \S"):
            self.assertEqual(len([line for line in lines if re.match(mark, line)]), 1, f"{mark}\n{screen.text}")
        self.assertEqual(screen.scrolled, 0, screen.text)

    def test_the_picture_is_drawn_in_place(self):
        with self.calibrate() as terminal:
            terminal.wait_for(lambda text: "next: " in text)
            for _ in range(6):
                before = terminal.screen.text
                self.check_picture(terminal.screen)
                terminal.wait_for(lambda text: text != before and "next: " in text)
            self.assertRegex(terminal.screen.text, r"@")
            terminal.wait_for(lambda text: text.count("o") > 200)
            self.check_picture(terminal.screen)

    def test_ctrl_c_gives_up_and_leaves_the_terminal_as_it_was(self):
        with self.calibrate() as terminal:
            terminal.wait_for(lambda text: "next: " in text)
            terminal.type("\x03")
            self.assertEqual(terminal.end(5), 1)
            self.assertIn("given up; nothing is changed", terminal.screen.text)
            self.assertTrue(terminal.screen.is_cursor_shown)
            self.assertEqual(terminal.screen.column, 0)
            # Below the picture, which is still there.
            below = terminal.screen.text.splitlines()[-1]
            self.assertIn("given up", below)
            self.assertEqual(termios.tcgetattr(terminal.master), terminal.modes)
        self.assertEqual(self.saved(), [])

    def test_it_ends_by_itself_with_the_result_and_saves_it(self):
        with self.calibrate(rows=60) as terminal:
            self.assertEqual(terminal.end(90), 0, terminal.screen.text)
            self.assertRegex(terminal.screen.text, r"verdict +Good")
            for line in "hard iron", "soft iron", "strength", "residual", "coverage", "certainty", "dip":
                self.assertRegex(terminal.screen.text, rf"(?m)^{line}  ")
            self.assertTrue(terminal.screen.is_cursor_shown)
        self.assertEqual(len(self.saved()), 1)

    def test_enter_ends_it_with_what_there_is(self):
        with self.calibrate(rows=60) as terminal:
            terminal.wait_for(lambda text: "next: " in text)
            terminal.type("\n")
            self.assertEqual(terminal.end(5), 1)
            self.assertRegex(terminal.screen.text, r"verdict +Insufficient")
            self.assertRegex(terminal.screen.text, r"missing +\S")
            self.assertIn("nothing is saved", terminal.screen.text)

    def test_a_small_terminal_gets_a_small_picture_and_a_tiny_one_lines(self):
        with self.calibrate(rows=18, columns=46) as terminal:
            terminal.wait_for(lambda text: "next: " in text)
            for _ in range(3):
                before = terminal.screen.text
                terminal.wait_for(lambda text: text != before and "next: " in text)
                self.assertEqual(terminal.screen.scrolled, 0, terminal.screen.text)
                self.assertIn("+z side", terminal.screen.text)
        for small in ({"rows": 10}, {"columns": 28}, {"kind": "dumb"}):
            with self.calibrate(**small) as terminal:
                terminal.wait_for(lambda text: "covered" in text.replace("\n", ""))
                self.assertNotIn(b"\x1b", terminal.bytes)

    def test_a_terminal_that_changes_its_size_gets_a_new_picture(self):
        with self.calibrate(rows=24) as terminal:
            terminal.wait_for(lambda text: "next: " in text)
            terminal.screen.__init__(40, 100)
            terminal.resize_of(terminal.master, 40, 100)
            terminal.wait_for(lambda text: "Calibrating with" in text and "next: " in text)
            self.check_picture(terminal.screen)

    def test_a_level_turn_shows_the_circle(self):
        with self.calibrate("--turn", rows=50) as terminal:
            terminal.wait_for(lambda text: text.count("o") > 60 and "next: " in text)
            self.assertNotIn("+z side", terminal.screen.text)
            self.assertEqual(terminal.end(60), 0)
            self.assertRegex(terminal.screen.text, r"level turn: hard and soft iron in the plane across")

    def test_every_thread_leaves_ctrl_c_to_the_one_that_waits_for_it(self):
        process = subprocess.Popen(
            [BINARY, "calibrate", "--simulate", "--config", self.config], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            self.assertIn("calibrating with", process.stdout.readline())
            tasks = pathlib.Path(f"/proc/{process.pid}/task")
            wait_until(lambda: len(list(tasks.iterdir())) > 1, 5, "a source's thread")
            for task in tasks.iterdir():
                blocked = int(re.search(r"SigBlk:\s*(\w+)", (task / "status").read_text())[1], 16)
                for number in signal.SIGINT, signal.SIGTERM:
                    self.assertTrue(blocked >> (number - 1) & 1, f"thread {(task / 'comm').read_text()}")
            # To one of the others, as the kernel may choose.
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=5)
            self.assertEqual(process.returncode, 1)
            self.assertIn("nothing is changed", output)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stdout.close()

    def test_ctrl_c_at_any_moment_ends_it(self):
        for step in range(12):
            process = subprocess.Popen(
                [BINARY, "calibrate", "--simulate", "--config", self.config], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                # Who runs the tests in the background may have it ignored, and what is started inherits that.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            time.sleep(step * 0.005)
            process.send_signal(signal.SIGINT)
            # Before it has asked for the signal itself, the kernel ends it.
            self.assertIn(process.wait(5), (1, -signal.SIGINT))
        self.assertEqual(self.saved(), [])


if __name__ == "__main__":
    unittest.main()
