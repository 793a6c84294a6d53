#!/usr/bin/env python3
"""Write choose(), and this is an engine that speaks the Noughts protocol, for any size and any rules."""
import re
import sys


def choose(board, side, connect, reverse):
    """The (row, column) to play: board is rows of "x", "o" and ".", side is who moves, "x" or "o".

    The player that gets connect in a row wins, or loses if reverse is true."""
    return next((r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell == ".")


OPTIONS = ("size type spin default 3 min 1 max 20", "columns type spin default 0 min 0 max 20",
           "connect type spin default 0 min 0 max 400", "reverse type check default false")
rules = {"size": 3, "columns": 0, "connect": 0, "reverse": 0}
board, side = [["."] * 3 for _ in range(3)], "x"
for line in sys.stdin:
    command, *words = line.lower().split() or [""]
    if command in ("ugi", "uci"):
        print("id name Template", *(f"option name {option}" for option in OPTIONS), command + "ok", sep="\n")
    elif command == "isready":
        print("readyok")
    elif command == "setoption" and rules.keys() & words:
        rules[(rules.keys() & words).pop()] = int(words[-1]) if words[-1].isdigit() else words[-1] == "true"
        board, side = [["."] * (rules["columns"] or rules["size"]) for _ in range(rules["size"])], "x"
    elif command == "position":
        start, _, moves = " ".join(words[1:]).partition("moves")
        rows = start.split()[0] if start else "/".join([str(rules["columns"] or rules["size"])] * rules["size"])
        board = [list(re.sub(r"\d+", lambda run: "." * int(run[0]), row)) for row in rows.split("/")]
        stones = sum(board, [])
        side = (start.split() + ["o" if stones.count("o") < stones.count("x") else "x"])[1 if start else 0]
        for row, column in (map(int, move.split(",")) for move in moves.split()):
            board[row][column], side = side, "o" if side == "x" else "x"
    elif command == "go":
        free, connect = "." in sum(board, []), rules["connect"] or min(len(board), len(board[0]))
        print("bestmove", "%d,%d" % choose(board, side, connect, bool(rules["reverse"])) if free else "(none)")
    elif command == "quit":
        break
    sys.stdout.flush()
