"""A brain of the Gomocup protocol that does everything right but for one thing.

    python3 gomocup_brain.py MODE [MOVE [MS]] [pids=FILE] [heard=FILE] [word ...]

It plays the first empty square in reading order, on boards from 5x5. The fault happens on the MOVE-th move that it is
asked for in the life of the process, counted from 1 (which is the default); MOVE 0 means every one. MS is how much it
is late. The number of the process is appended to one FILE, every line that it gets to the other.

A manager that breaks the protocol is told so with ERROR, and gets no move: a TURN or a BEGIN that does not fit the
board, a BOARD on a board with stones, a move before START, stones that are not as many for both players.

With the mode "strict" it is as strong brains are: it answers ABOUT before the first START and never again, and drops
every command that comes within ten milliseconds of its own move.
"""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from engine_double import arguments, die_by_signal, hear, run, sleep_for_ever, write  # noqa: E402

ANSWERS = {
    "illegal-off-board": b"99,99",
    "rubbish-move": b"\x1b[2J\x07\x00\xff\xfe\x80",
    "other-notation": b"b2",
    "no-move": b"OK, I pass",
}
ALWAYS = (
    "strict",
    "crlf",
    "talks",
    "ignores-end",
    "exit-at-about",
    "silent-at-start",
    "refuses-the-size",
    "silent-at-restart",
    "refuses-restart",
    "stale-at-restart",
    "stale-with-ok",
)
ON_MOVE = (
    "crash",
    "signal",
    "silent",
    "hang",
    "late",
    "illegal-occupied",
    "stale",
    "stale-later",
    "move-then-exit",
    "closes-stdout",
    "stops-reading",
    "repeats",
    "repeats-itself",
    "says-error",
    "flood",
    "long-line",
)
MODES = ("good", *ALWAYS, *ON_MOVE, *ANSWERS)
# How long the mode "strict" drops commands after a move, in seconds.
DEAF = 0.010
ABOUT = b'name="Brain", version="1.0", author="the tests", country="none"'


class Brain:
    def __init__(self, mode, at, milliseconds):
        self.mode, self.at, self.milliseconds = mode, at, milliseconds
        self.size = 0
        self.cells = []
        self.fields = None
        self.asked = 0
        self.turn_time = 0
        self.moved = -DEAF
        self.last = b""

    def say(self, *lines):
        end = b"\r\n" if self.mode == "crlf" else b"\n"
        write(b"".join(line + end for line in lines))

    def is_due(self, mode):
        return self.mode == mode and self.at in (0, self.asked)

    def run(self):
        for line in sys.stdin.buffer:
            text = line.decode("utf-8", "replace").strip()
            hear(text)
            if self.mode == "strict" and time.monotonic() < self.moved + DEAF:
                continue
            if self.fields is not None:
                self.read_field(text)
            elif text and self.obey(*text.partition(" ")[::2]):
                return

    def obey(self, command, rest):
        if command == "ABOUT":
            self.tell()
        elif command == "START":
            self.start(int(rest))
        elif command == "RESTART":
            self.restart()
        elif command == "INFO":
            key, _, value = rest.partition(" ")
            if key == "timeout_turn":
                self.turn_time = int(value)
        elif command == "BEGIN":
            self.answer(not any(self.cells))
        elif command == "TURN":
            self.answer(self.place(rest.split(","), 2))
        elif command == "BOARD":
            self.fields = []
        elif command != "END":
            self.say(b"UNKNOWN " + command.encode())
        return command == "END"

    def tell(self):
        if self.mode == "exit-at-about":
            os._exit(7)
        if self.mode == "strict" and self.size:
            return
        if self.mode == "talks":
            self.say(b"MESSAGE somebody asks", b"DEBUG error: none", b"Good day to you")
        self.say(ABOUT)

    def start(self, size):
        if self.mode == "silent-at-start":
            sleep_for_ever()
        if self.mode == "refuses-the-size" or size < 5:
            self.say(b"ERROR unsupported size")
            return
        self.size = size
        self.empty()
        self.say(b"OK")

    def restart(self):
        if self.mode == "silent-at-restart":
            sleep_for_ever()
        if self.mode == "refuses-restart":
            self.say(b"UNKNOWN RESTART")
            return
        if self.mode == "stale-at-restart":
            self.say(self.text(len(self.cells) - 1))
        self.empty()
        self.say(b"OK", *([self.text(len(self.cells) - 1)] if self.mode == "stale-with-ok" else []))

    def empty(self):
        self.cells = [0] * (self.size * self.size)
        self.last = b""

    def read_field(self, text):
        if text != "DONE":
            self.fields.append([int(number) for number in text.split(",")])
            return
        fields, self.fields = self.fields, None
        fits = not any(self.cells)
        for *cell, field in fields:
            fits = self.place(cell, field) and fits
        self.answer(fits)

    def place(self, cell, field):
        column, row = map(int, cell)
        index = row * self.size + column
        fits = 0 <= column < self.size and 0 <= row < self.size and self.cells[index] == 0 and field in (1, 2)
        if fits:
            self.cells[index] = field
        return fits

    def answer(self, fits):
        own, other = self.cells.count(1), self.cells.count(2)
        if not (self.size and fits and own <= other <= own + 1):
            self.say(b"ERROR the manager breaks the protocol")
            return
        self.asked += 1
        self.fail_before()
        empty = [index for index, cell in enumerate(self.cells) if not cell]
        move = self.text(empty[0])
        self.cells[empty[0]] = 1
        if self.is_due("illegal-occupied"):
            taken = [index for index, cell in enumerate(self.cells) if cell == 2]
            move = self.text(taken[-1]) if taken else b"99,99"
        if self.mode in ANSWERS and self.is_due(self.mode):
            move = ANSWERS[self.mode]
        if self.mode == "talks":
            self.say(b"MESSAGE I think of " + move)
        if self.is_due("repeats-itself"):
            move = self.last or b"99,99"
        self.moved = time.monotonic()
        self.say(move)
        self.last = move
        self.fail_behind(self.text(empty[-1]))

    def fail_before(self):
        if self.is_due("crash"):
            os._exit(3)
        if self.is_due("signal"):
            die_by_signal()
        if self.is_due("hang") or self.is_due("silent"):
            sleep_for_ever()
        if self.is_due("closes-stdout"):
            os.close(1)
            sleep_for_ever()
        if self.is_due("late"):
            time.sleep((self.turn_time + self.milliseconds) / 1000)
        if self.is_due("repeats") and self.last:
            self.say(self.last)
        if self.is_due("says-error"):
            self.say(b"ERROR out of ideas")
        if self.is_due("flood"):
            lines = b"MESSAGE depth 1 ev 0 n 1 pv 0,0\n" * 10_000
            for _ in range(40_000_000 // len(lines)):
                write(lines)
        if self.is_due("long-line"):
            write(b"MESSAGE " + b"z" * 30_000_000 + b"\n")

    def fail_behind(self, stale):
        if self.is_due("stale"):
            self.say(stale)
        if self.is_due("stale-later"):
            import threading

            timer = threading.Timer((self.milliseconds or 30) / 1000, self.say, [stale])
            timer.daemon = True
            timer.start()
        if self.is_due("move-then-exit"):
            os._exit(0)
        if self.is_due("stops-reading"):
            sleep_for_ever()

    def text(self, index):
        row, column = divmod(index, self.size)
        return b"%d,%d" % (column, row)


mode, *numbers = arguments(MODES, "MOVE")
run(Brain(mode, *numbers).run, ignores_end=mode == "ignores-end")
