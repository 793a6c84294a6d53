"""A UGI engine for m,n,k-games, as motors is one: moves as b2, and an end at any line that it cannot read.

    python3 ugi_engine.py [heard=FILE] [pids=FILE] [name=GAME] [error=N]

It plays the first empty square, counted from a1 to the right and then up. Its name says that it plays the game mnk, or GAME
instead. Rows, columns and the number in a row stand before `startpos`; without them it stays with the game that it has, at
first 3x3. With `error=N` it ends at its move N as it does at a line that it cannot read: with `info error` and exit code 0.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from engine_double import WORDS, hear, run, say  # noqa: E402

MOST_CELLS = 128
GO = ("p1time", "p2time", "p1inc", "p2inc", "movetime", "nodes", "depth", "movestogo")


class Wrong(Exception):
    """A line that makes the engine end."""


class Engine:
    def __init__(self):
        self.rows, self.columns, self.connect = 3, 3, 3
        self.taken = []
        self.moves = 0

    def introduce(self):
        say(
            "Starting ugi mode.",
            "",
            "id name Stub -- Game %s -- Engine First" % WORDS.get("name", "mnk"),
            "id author the tests",
            "option name Hash type spin default 16 min 0 max 1000",
            "option name UGI_Opponent type string",
            "option name Style type combo var calm var wild default calm",
            "ugiok",
        )

    def set_option(self, words):
        if words[0] != "name" or words[2] != "value":
            raise Wrong("cannot read the option " + " ".join(words))
        if words[1] == "Style" and words[3] not in ("calm", "wild"):
            raise Wrong("no style " + words[3])

    def set_position(self, words):
        if words[0] != "startpos":
            self.set_game([int(word) for word in words[:3]] if words[0].isdigit() else [])
            words = words[3:]
        self.taken = []
        if words[:1] != ["startpos"] or words[1:2] not in ([], ["moves"]):
            raise Wrong("not a position: " + " ".join(words))
        for move in words[2:]:
            if move not in self.squares() or move in self.taken:
                raise Wrong("not a move: " + move)
            self.taken.append(move)

    def set_game(self, game):
        if len(game) != 3 or game[0] * game[1] > MOST_CELLS or not 1 <= game[2] <= min(game[:2]):
            raise Wrong("not a game: %s" % game)
        self.rows, self.columns, self.connect = game

    def squares(self):
        return [chr(ord("a") + column) + str(row + 1) for row in range(self.rows) for column in range(self.columns)]

    def go(self, words):
        if not words:
            return  # for ever, as nobody will say stop
        if any(word not in GO for word in words[::2]) or not all(word.isdigit() for word in words[1::2]):
            raise Wrong("cannot read go " + " ".join(words))
        self.moves += 1
        if self.moves == int(WORDS.get("error", 0)):
            raise Wrong("out of ideas")
        move = next(square for square in self.squares() if square not in self.taken)
        say("info depth 1 seldepth 1 multipv 1 score cp %d time 0 nodes 1 pv %s" % (self.connect, move))
        say("bestmove " + move)

    def obey(self, command, words):
        if command == "ugi":
            self.introduce()
        elif command == "isready":
            say("readyok")
        elif command == "setoption":
            self.set_option(words)
        elif command == "position":
            self.set_position(words)
        elif command == "go":
            self.go(words)
        elif command not in ("uginewgame", "stop"):
            print("Warning: no command " + command, file=sys.stderr)


def main():
    engine = Engine()
    for line in sys.stdin:
        words = line.split()
        hear(line.rstrip("\n"))
        if words[:1] == ["quit"]:
            return
        try:
            engine.obey(words[0], words[1:])
        except Wrong as error:
            print("Error: %s" % error, file=sys.stderr)
            say("info error %s" % error)
            return


run(main)
