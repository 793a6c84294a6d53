"""A UCI engine for chess variants, as Fairy-Stockfish is one: it plays what a file of variants says, and nothing else.

    python3 variant_engine.py [largest=N] [heard=FILE] [names=A,B] [no-path]

It plays the last empty square in reading order. Before a variant is set it plays chess, that is, it moves a pawn, and
so it does when it does not like the file. It takes boards up to largest (10) rows. What it does not know it says on
its output, as such engines do. `names` are games that it lists from the start; with `no-path` it reads no files.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from engine_double import WORDS, hear, run, say  # noqa: E402


# What is not tic-tac-toe in a game that begins as chess.
WANTED = {
    "immobile": "p",
    "pieceDrops": "true",
    "doubleStep": "false",
    "castling": "false",
    "stalemateValue": "draw",
    "immobilityIllegal": "false",
}
KNOWN = {"tictactoe": (3, 3), "gomokufreestyle": (15, 5)}


class Engine:
    def __init__(self):
        names = WORDS["names"].split(",") if "names" in WORDS else []
        self.variants = {name: KNOWN[name] for name in names}
        self.variant = None
        self.board, self.side = [], "w"

    def introduce(self):
        names = "".join(" var " + name for name in ("chess", "xiangqi", *self.variants))
        say(
            "id name Variant engine",
            "",
            "option name Debug Log File type string default ",
            "option name Clear Hash type button",
            "option name SyzygyPath type string default <empty>",
            "option name MultiPV type spin default 1 min 1 max 500",
            "option name Style type combo default Very Solid var Very Solid var Wild",
            "option name UCI_Variant type combo default chess" + names,
        )
        if "no-path" not in WORDS:
            say("option name VariantPath type string default <empty>")
        say("uciok")

    def set_option(self, name, value):
        if name == "VariantPath":
            self.read_variants(value)
        elif name == "UCI_Variant":
            self.variant = self.variants.get(value)
        elif name not in ("Clear Hash", "MultiPV"):
            say("No such option: " + name)

    def read_variants(self, path):
        """Sections of a file; a game that is not understood is left out without a word."""
        name, section = None, {}
        with open(path) as file:
            lines = file.read().split("\n") + ["[]"]
        for line in lines:
            if line.startswith("["):
                if name and self.is_game(section):
                    self.variants[name] = (int(section["maxFile"]), int(section.get("connectN", 0)))
                name, section = line.strip("[]"), {}
            elif line:
                key, value = line.split(" = ")
                section[key] = value

    def is_game(self, section):
        size = int(section["maxFile"])
        cells = size * size
        squares, side = section["startFen"].split(" ")[:2]
        rows, hand = squares.rstrip("]").split("[")
        return (
            section["maxRank"] == section["maxFile"]
            and size <= int(WORDS.get("largest", 10))
            and all(section.get(key) == value for key, value in WANTED.items())
            and rows == "/".join([str(size)] * size)
            and side == "w"
            and hand.count("P") >= (cells + 1) // 2
            and hand.count("p") >= cells // 2
        )

    def set_position(self, words):
        start, _, moves = " ".join(words).partition(" moves")
        size = self.variant[0] if self.variant else 8
        self.board, self.side = [""] * (size * size), "w"
        if start.startswith("fen "):
            _, squares, self.side = start.split(" ")[:3]
            self.read_board(squares.partition("[")[0])
        for move in moves.split():
            assert move.startswith("P@"), move
            self.board[(size - int(move[3:])) * size + ord(move[2]) - ord("a")] = self.side
            self.side = "b" if self.side == "w" else "w"

    def read_board(self, rows):
        self.board = []
        for row in rows.split("/"):
            number = ""
            for sign in row + " ":
                if sign.isdigit():
                    number += sign
                    continue
                self.board += [""] * int(number or 0)
                number = ""
                if sign != " ":
                    self.board.append("w" if sign == "P" else "b")

    def go(self, words):
        if not words:
            return  # for ever, as nobody will say stop
        if not self.variant:
            say("bestmove e2e4")
            return
        size, connect = self.variant
        empty = [index for index, cell in enumerate(self.board) if not cell]
        row, column = divmod(empty[-1], size)
        move = "P@%s%d" % (chr(ord("a") + column), size - row)
        say("info depth 1 seldepth 1 multipv 1 score cp %d nodes 1 nps 1 pv %s" % (connect, move))
        say("bestmove %s ponder P@a1" % move)

    def obey(self, command, words):
        if command == "uci":
            self.introduce()
        elif command == "isready":
            say("readyok")
        elif command == "setoption":
            name, _, value = " ".join(words[1:]).partition(" value ")
            self.set_option(name, value)
        elif command == "position":
            self.set_position(words)
        elif command == "go":
            self.go(words)
        elif command not in ("ucinewgame", "stop", "quit"):
            say("Unknown command: " + command)


def main():
    say("Variant engine by the tests")
    engine = Engine()
    for line in sys.stdin:
        words = line.split()
        hear(line.rstrip("\n"))
        if words[:1] == ["quit"]:
            return
        if words:
            engine.obey(words[0], words[1:])


run(main)
