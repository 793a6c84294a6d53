#!/usr/bin/env python3
"""Write choose(), and this is an engine that speaks the Noughts protocol, for any size and any rules."""
import re
import sys


def choose(board, side):
    """The (row, column) to play: board is rows of "x", "o" and ".", side is who moves, "x" or "o"."""
    return next((r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell == ".")


size, board, side = 3, [["."] * 3 for _ in range(3)], "x"
for line in sys.stdin:
    command, *words = line.lower().split() or [""]
    if command in ("ugi", "uci"):
        print("id name Template", f"option name size type spin default {size} min 1 max 20", command + "ok", sep="\n")
    elif command == "isready":
        print("readyok")
    elif command == "setoption" and "size" in words:
        size = int(words[-1])
        board, side = [["."] * size for _ in range(size)], "x"
    elif command == "position":
        start, _, moves = " ".join(words[1:]).partition("moves")
        rows = start.split()[0] if start else "/".join([str(size)] * size)
        board = [list(re.sub(r"\d+", lambda run: "." * int(run[0]), row)) for row in rows.split("/")]
        stones = sum(board, [])
        side = (start.split() + ["o" if stones.count("o") < stones.count("x") else "x"])[1 if start else 0]
        for row, column in (map(int, move.split(",")) for move in moves.split()):
            board[row][column], side = side, "o" if side == "x" else "x"
    elif command == "go":
        print("bestmove", "%d,%d" % choose(board, side) if "." in sum(board, []) else "(none)")
    elif command == "quit":
        break
    sys.stdout.flush()
