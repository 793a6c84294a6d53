"""An engine of the Go Text Protocol that does everything right but for one thing.

    python3 gtp_engine.py MODE [MOVE [MS]] [pids=FILE] [heard=FILE] [word ...]

It plays the first empty square in reading order. The fault happens on the MOVE-th move that it is asked for in the life
of the process, counted from 1 (which is the default); MOVE 0 means every one. MS is how much it is late. The number of
the process is appended to one FILE, every line that it gets to the other.

It lists the commands of the protocol, and with the word "own" also noughts-connect, noughts-reverse and noughts-seed.
Then its moves are drawn, if it has got a seed. "without=COMMAND" leaves a command out.

A client that breaks the protocol gets an error: a stone on a square that is taken or off the board, a colour that is not
to move, a command that is not listed.
"""

import os
import random
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from engine_double import WORDS, arguments, die_by_signal, hear, run, sleep_for_ever, write  # noqa: E402

ANSWERS = {
    "resigns": b"resign",
    "passes": b"pass",
    "illegal-off-board": b"Z99",
    "other-notation": b"0,0",
    "rubbish-move": b"\x1b[2J\x07\x00\xff\xfe\x80",
    "no-answer-text": b"",
}
ALWAYS = (
    "no-numbers",
    "crlf",
    "talks",
    "ignores-end",
    "exit-at-start",
    "silent-at-start",
    "refuses-the-size",
    "refuses-the-seed",
    "refuses-times",
    "whole-seconds",
    "other-version",
    "no-blank-line",
    "many-commands",
)
ON_MOVE = (
    "crash",
    "signal",
    "hang",
    "hang-but-stops",
    "late",
    "illegal-occupied",
    "stale",
    "stale-no-numbers",
    "move-then-exit",
    "closes-stdout",
    "stops-reading",
    "says-error",
    "skips",
    "flood",
    "long-line",
    "endless-response",
    "no-ready",
)
MODES = ("good", *ALWAYS, *ON_MOVE, *ANSWERS)
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
COMMANDS = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove "
    "time_settings time_left gogui-interrupt"
).split()
OWN = ["noughts-connect", "noughts-reverse", "noughts-seed"]


class Refused(Exception):
    pass


class Engine:
    def __init__(self, mode, at, milliseconds):
        self.mode, self.at, self.milliseconds = mode, at, milliseconds
        commands = COMMANDS + (OWN if "own" in WORDS else [])
        self.commands = [command for command in commands if command != WORDS.get("without")]
        self.rows = self.columns = 19
        self.cells = {}
        self.last = None
        self.asked = 0
        self.turn_time = 0
        self.random = None

    def is_due(self, mode):
        return self.mode == mode and self.at in (0, self.asked)

    def run(self):
        for line in sys.stdin.buffer:
            text = line.decode("utf-8", "replace").strip()
            hear(text)
            text = text.partition("#")[0]
            number, *words = text.split() if text.split() else [""]
            if not number.isdigit():
                number, words = "", text.split()
            if words and self.respond(number, *words):
                return

    def respond(self, number, command, *arguments):
        status, answer = "=", b""
        try:
            if command not in self.commands:
                raise Refused("unknown command")
            answer = getattr(self, command.replace("-", "_"))(*arguments) or b""
        except Refused as reason:
            status, answer = "?", str(reason).encode()
        if command == "genmove" and self.is_due("skips"):
            return False
        if command == "protocol_version" and self.mode == "no-ready" and self.asked >= self.at:
            return False
        self.say(status, number, answer)
        if command == "genmove":
            self.fail_behind(number)
        return command == "quit"

    def say(self, status, number, answer):
        if self.mode in ("no-numbers", "stale-no-numbers"):
            number = ""
        end = b"\r\n" if self.mode == "crlf" else b"\n"
        talk = b"Now I speak" + end if self.mode == "talks" else b""
        blank = b"" if self.mode == "no-blank-line" else end
        write(talk + b"%s%s %s" % (status.encode(), number.encode(), answer.replace(b"\n", end)) + end + blank)

    def protocol_version(self):
        if self.mode == "exit-at-start":
            os._exit(7)
        if self.mode == "silent-at-start":
            sleep_for_ever()
        return b"1" if self.mode == "other-version" else b"2"

    def name(self):
        return b"Table"

    def version(self):
        return b"1.5"

    def list_commands(self):
        more = ["x%d" % number for number in range(300_000)] if self.mode == "many-commands" else []
        return "\n".join(self.commands + more).encode()

    def gogui_interrupt(self):
        pass

    def quit(self):
        pass

    def komi(self, _):
        pass

    def boardsize(self, rows, columns=None):
        if self.mode == "refuses-the-size":
            raise Refused("unacceptable size")
        self.rows, self.columns = int(rows), int(columns or rows)

    def clear_board(self):
        self.cells, self.last = {}, None

    def noughts_connect(self, _):
        pass

    def noughts_reverse(self, value):
        if value not in ("true", "false"):
            raise Refused("true or false")

    def noughts_seed(self, seed):
        if self.mode == "refuses-the-seed":
            raise Refused("no such seed")
        self.random = random.Random(int(seed))

    def time_settings(self, main, turn, stones):
        if self.mode == "refuses-times":
            raise Refused("no clocks here")
        self.check_numbers(main, turn, stones)
        self.turn_time = float(turn)

    def time_left(self, colour, left, stones):
        if self.mode == "refuses-times":
            raise Refused("no clocks here")
        self.check_numbers(left, stones)

    def check_numbers(self, *numbers):
        if self.mode == "whole-seconds" and not all(number.isdigit() for number in numbers):
            raise Refused("not whole numbers")

    def play(self, colour, at):
        row, column = self.rows - int(at[1:]), COLUMNS.index(at[0])
        if not (0 <= row < self.rows and 0 <= column < self.columns) or (row, column) in self.cells:
            raise Refused("illegal move")
        self.put(colour, (row, column))

    def put(self, colour, cell):
        if colour == self.last or colour not in "bw":
            raise Refused("it is not the turn of " + colour)
        self.cells[cell] = self.last = colour

    def genmove(self, colour):
        self.asked += 1
        self.fail_before()
        empty = [
            (row, column)
            for row in range(self.rows)
            for column in range(self.columns)
            if (row, column) not in self.cells
        ]
        cell = self.random.choice(empty) if self.random else empty[0]
        self.put(colour, cell)
        if self.is_due("illegal-occupied"):
            taken = [other for other, owner in self.cells.items() if owner != colour]
            return self.text(taken[-1]) if taken else b"Z99"
        if self.mode in ANSWERS and self.is_due(self.mode):
            return ANSWERS[self.mode]
        if self.is_due("says-error"):
            raise Refused("out of ideas")
        return self.text(cell)

    def fail_before(self):
        if self.is_due("crash"):
            os._exit(3)
        if self.is_due("signal"):
            die_by_signal()
        if self.is_due("hang"):
            sleep_for_ever()
        if self.is_due("hang-but-stops"):
            while b"# interrupt" not in sys.stdin.buffer.readline():
                pass
        if self.is_due("closes-stdout"):
            os.close(1)
            sleep_for_ever()
        if self.is_due("late"):
            time.sleep(self.turn_time + self.milliseconds / 1000)
        if self.is_due("flood"):
            lines = b"depth 1 value 0 nodes 1 line A1\n" * 10_000
            for _ in range(40_000_000 // len(lines)):
                write(lines)
        if self.is_due("long-line"):
            write(b"z" * 30_000_000 + b"\n")
        if self.is_due("endless-response"):
            write(b"= ")
            while True:
                write(b"A1 is a move, and so is\n" * 10_000)

    def fail_behind(self, number):
        if self.is_due("stale") or self.is_due("stale-no-numbers"):
            self.say("=", number, self.text((self.rows - 1, self.columns - 1)))
        if self.is_due("move-then-exit"):
            os._exit(0)
        if self.is_due("stops-reading"):
            sleep_for_ever()

    def text(self, cell):
        row, column = cell
        return b"%s%d" % (COLUMNS[column].encode(), self.rows - row)


mode, *numbers = arguments(MODES, "MOVE")
run(Engine(mode, *numbers).run, ignores_end=mode == "ignores-end")
