"""An engine that does everything right but for one thing: the opponent in the tests of the match runner.

    python3 bad_engine.py MODE [GO [MS]] [pids=FILE] [word ...]

It plays the first empty square in reading order. The fault happens on the GO-th `go` in the life of the process,
counted from 1 (which is the default); GO 0 means every one. MS is for the modes that have to do with time. The number
of the process is appended to FILE. Other words mean nothing here, they are there to be found among the arguments.
"""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from engine_double import arguments, die_by_signal, run, sleep_for_ever, write  # noqa: E402

ANSWERS = {
    "no-move": b"bestmove",
    "null-move": b"bestmove 0000",
    "none-move": b"bestmove (none)",
    "rubbish-move": b"bestmove \x1b[2J\x07\x00\xff\xfe\x80",
}

# The fault is in how these say things, or in what they do outside of `go`.
ALWAYS = ("crlf", "ponder", "no-options", "ignores-quit", "exit-before-handshake", "no-handshake")

ON_GO = (
    "crash-on-go",
    "signal-on-go",
    "silent-on-go",
    "hang-on-go",
    "late",
    "illegal-occupied",
    "illegal-off-board",
    "stale-bestmove",
    "stale-bestmove-later",
    "skips-and-doubles",
    "move-then-exit",
    "no-readyok",
    "closes-stdout",
    "stops-reading",
    "flood",
    "long-line",
    "stderr-flood",
)

MODES = ("good", *ALWAYS, *ON_GO, *ANSWERS)

OPTIONS = (
    b"option name size type spin default 3 min 1 max 20",
    b"option name connect type spin default 0 min 0 max 400",
    b"option name reverse type check default false",
    b"option name seed type spin default 0 min 0 max 2147483647",
)


class Position:
    def __init__(self, size):
        self.size = size
        self.cells = [""] * (size * size)
        self.turn = "x"

    def read_board(self, board):
        self.cells = []
        for row in board.lower().split("/"):
            number = ""
            for sign in row + " ":
                if sign.isdigit():
                    number += sign
                    continue
                self.cells += [""] * int(number or 0)
                number = ""
                if sign != " ":
                    self.cells.append("" if sign == "." else sign)
        self.turn = "x" if self.cells.count("x") <= self.cells.count("o") else "o"

    def index(self, move):
        move = move.removeprefix("P@")
        if "," in move:
            row, column = move.split(",")
            return int(row) * self.size + int(column)
        return (self.size - int(move[1:])) * self.size + ord(move[0].lower()) - ord("a")

    def play(self, move):
        self.cells[self.index(move)] = self.turn
        self.turn = "o" if self.turn == "x" else "x"

    def text(self, index):
        return b"%d,%d" % divmod(index, self.size)

    def text_of_chess(self, index):
        row, column = divmod(index, self.size)
        return b"%c%d" % (ord("a") + column, self.size - row)

    def empty(self):
        return [index for index, cell in enumerate(self.cells) if cell == ""]

    def taken(self):
        return [index for index, cell in enumerate(self.cells) if cell != ""]


class Engine:
    def __init__(self, mode, at, milliseconds):
        self.mode, self.at, self.milliseconds = mode, at, milliseconds
        self.size = 3
        self.position = Position(self.size)
        self.goes = 0
        self.thread = None

    def say(self, *lines):
        end = b"\r\n" if self.mode == "crlf" else b"\n"
        write(b"".join(line + end for line in lines))

    def is_due(self, mode):
        return self.mode == mode and self.at in (0, self.goes)

    def run(self):
        if self.mode == "exit-before-handshake":
            os._exit(7)
        for line in sys.stdin.buffer:
            words = line.decode("utf-8", "replace").split()
            if self.mode != "no-handshake" and words and self.obey(words[0].lower(), words[1:]):
                return

    def obey(self, command, words):
        if command in ("ugi", "uci"):
            self.introduce(command.encode())
        elif command == "isready":
            self.be_ready()
        elif command == "setoption":
            self.set_option([word for word in words if word not in ("name", "value")])
        elif command in ("newgame", "uginewgame", "ucinewgame"):
            self.position = Position(self.size)
        elif command == "position":
            self.set_position(words)
        elif command == "go":
            self.goes += 1
            self.go(words)
        return command == "quit"

    def introduce(self, protocol):
        options = () if self.mode == "no-options" else OPTIONS
        self.say(b"id name Bad engine", b"id author the tests", *options, protocol + b"ok")
        if self.mode == "stops-reading" and self.at == 1:
            sleep_for_ever()

    def be_ready(self):
        if self.mode == "no-readyok" and self.goes >= self.at:
            return
        # Late or not: what was said about the move before comes before this.
        if self.thread:
            self.thread.join()
        self.say(b"readyok")

    def set_option(self, words):
        if words[0].lower() == "size" and int(words[1]) != self.size:
            self.size = int(words[1])
            self.position = Position(self.size)

    def set_position(self, words):
        before, moves = words, []
        if "moves" in words:
            at = words.index("moves")
            before, moves = words[:at], words[at + 1 :]
        position = Position(self.size)
        if before[0] == "fen":
            position.read_board(before[1])
            if len(before) > 2:
                position.turn = before[2].lower()
        for move in moves:
            position.play(move)
        self.position = position

    def time_limit(self, words):
        keys = ("movetime",) + (("wtime", "p1time") if self.position.turn == "x" else ("btime", "p2time"))
        return next((int(words[words.index(key) + 1]) for key in keys if key in words), 0)

    def move(self):
        """The line with the move, right or wrong."""
        position, empty = self.position, self.position.empty()
        if self.mode in ANSWERS and self.is_due(self.mode):
            return ANSWERS[self.mode]
        if not empty:
            return b"bestmove (none)"
        if self.is_due("illegal-occupied") and position.taken():
            return b"bestmove " + position.text(position.taken()[-1])
        if self.is_due("illegal-occupied") or self.is_due("illegal-off-board"):
            return b"bestmove %d,%d" % (self.size, self.size)
        if self.mode == "ponder":
            reply = b" ponder " + position.text_of_chess(empty[1]) if len(empty) > 1 else b""
            return b"bestmove " + position.text_of_chess(empty[0]) + reply
        return b"bestmove " + position.text(empty[0])

    def go(self, words):
        if self.is_due("crash-on-go"):
            os._exit(3)
        if self.is_due("signal-on-go"):
            die_by_signal()
        if self.is_due("silent-on-go"):
            return
        if self.is_due("skips-and-doubles"):
            return  # and makes up for it later
        if self.is_due("hang-on-go"):
            sleep_for_ever()
        if self.is_due("closes-stdout"):
            os.close(1)
            sleep_for_ever()
        if self.is_due("late"):
            time.sleep((self.time_limit(words) + self.milliseconds) / 1000)
        self.flood()
        self.answer()
        if self.is_due("move-then-exit"):
            os._exit(0)
        if self.mode == "stops-reading" and self.goes + 1 == self.at:
            sleep_for_ever()

    def flood(self):
        if self.is_due("flood"):
            lines = b"info depth 1 score cp 0 value 0 nodes 1 pv 0,0\n" * 10_000
            for _ in range(40_000_000 // len(lines)):
                write(lines)
        if self.is_due("long-line"):
            write(b"info string ")
            for _ in range(30):
                write(b"z" * 1_000_000)
            write(b"\n")
        if self.is_due("stderr-flood"):
            lines = b"This engine has much to complain about, and nobody who listens to it.\n" * 1_000
            for _ in range(4_000_000 // len(lines)):
                write(lines, 2)

    def answer(self):
        move = self.move()
        stale = b"bestmove " + self.position.text((self.position.empty() or [0])[-1])
        if self.is_due("stale-bestmove"):
            self.say(move, stale)
            return
        self.say(move)
        if self.mode == "skips-and-doubles" and self.goes == self.at + 60:
            self.say(move)
        if self.is_due("stale-bestmove-later"):
            import threading

            self.thread = threading.Timer((self.milliseconds or 30) / 1000, self.say, [stale])
            self.thread.daemon = True
            self.thread.start()


mode, *numbers = arguments(MODES, "GO")
run(Engine(mode, *numbers).run, ignores_end=mode == "ignores-quit")
