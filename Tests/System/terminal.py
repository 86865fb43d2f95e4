"""A terminal for programs that draw: a pseudo-terminal, and the screen that a person would see at it."""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

ESCAPE = re.compile(r"\x1b\[(\?)?(\d*)(?:;(\d*))?([A-Za-z])")


class Screen:
    """The little of a VT100 that our programs use; what it does not know is an error, not a guess."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.lines = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.is_cursor_shown = True
        self.scrolled = 0
        self.rest = ""

    def feed(self, text):
        text, self.rest = self.rest + text, ""
        position = 0
        while position < len(text):
            if text[position] != "\x1b":
                self.put(text[position])
                position += 1
                continue
            found = ESCAPE.match(text, position)
            if not found:
                if len(text) - position < 12:
                    self.rest = text[position:]
                    return
                raise AssertionError(f"unknown escape {text[position:position + 8]!r}")
            self.obey(*found.groups())
            position = found.end()

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.down()
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character >= " ":
            if self.column == self.columns:
                self.column = 0
                self.down()
            self.lines[self.row][self.column] = character
            self.column += 1

    def down(self):
        if self.row < self.rows - 1:
            self.row += 1
        else:
            self.lines = self.lines[1:] + [[" "] * self.columns]
            self.scrolled += 1

    def obey(self, private, first, second, letter):
        number = int(first or 0)
        if private and number == 25 and letter in "hl":
            self.is_cursor_shown = letter == "h"
        elif letter == "A":
            self.row = max(0, self.row - max(1, number))
        elif letter == "K" and number in (0, 2):
            start = self.column if number == 0 else 0
            self.lines[self.row][start:] = [" "] * (self.columns - start)
        elif letter == "J" and number == 2:
            self.lines = [[" "] * self.columns for _ in range(self.rows)]
        elif letter == "H":
            self.row, self.column = max(0, number - 1), max(0, int(second or 1) - 1)
        else:
            raise AssertionError(f"unknown escape {private or ''}{first};{second}{letter}")

    @property
    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.lines)


class Terminal:
    """A program at a terminal of `rows` by `columns`."""

    def __init__(self, arguments, rows=24, columns=80, kind="xterm"):
        self.screen = Screen(rows, columns)
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            self.resize_of(0, rows, columns)
            os.environ["TERM"] = kind
            try:
                os.execv(arguments[0], arguments)
            finally:
                os._exit(127)
        self.modes = termios.tcgetattr(self.master)
        self.bytes = b""
        # A character may be cut in two.
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.status = None

    @staticmethod
    def resize_of(descriptor, rows, columns):
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds=0.1):
        """Draws what has come; False once the program is gone."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.bytes += data
        self.screen.feed(self.decoder.decode(data))
        return bool(data)

    def wait_for(self, condition, seconds=20):
        deadline = time.monotonic() + seconds
        while not condition(self.screen.text):
            if time.monotonic() > deadline or not self.read():
                raise AssertionError(f"not seen within {seconds} s:\n{self.screen.text}")

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self, seconds=20):
        """Waits until the program has ended; its exit status, or -signal."""
        deadline = time.monotonic() + seconds
        while self.read():
            if time.monotonic() > deadline:
                raise AssertionError(f"still running:\n{self.screen.text}")
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.status

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.status is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.waitpid(self.pid, 0)
        os.close(self.master)
