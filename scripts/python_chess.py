#!/usr/bin/env python3
"""Uses an engine from python-chess, as a program would that was written for chess.

    scripts/python_chess.py target/release/noughts

Tic-tac-toe is a board class of a few lines, in which a move drops a pawn on an empty square. The engine is spoken to
over UCI and over XBoard's protocol: options, ping, configure, a whole game against moves at random with each colour,
and quit. Needs the package chess from PyPI. The exit code is 0 if everything was as it should be.
"""

import argparse
import logging
import random
import sys

import chess
import chess.engine

SIZE = 3
LINES = [chess.SquareSet(squares) for squares in (
    [[chess.square(file, rank) for file in range(SIZE)] for rank in range(SIZE)]
    + [[chess.square(file, rank) for rank in range(SIZE)] for file in range(SIZE)]
    + [[chess.square(i, i) for i in range(SIZE)], [chess.square(i, SIZE - 1 - i) for i in range(SIZE)]]
)]


class TicTacToe(chess.Board):
    """X is White, O is Black; only the squares a1 to c3 are used."""

    uci_variant = xboard_variant = "tictactoe"
    aliases = ["Tic-tac-toe"]

    def reset(self):
        self.clear()

    def drops(self):
        """All moves, unless the game is over."""
        if self.winner() is not None:
            return []
        squares = (chess.square(file, rank) for rank in range(SIZE) for file in range(SIZE))
        return [chess.Move(s, s, drop=chess.PAWN) for s in squares if not self.piece_at(s)]

    def is_legal(self, move):
        return move in self.drops()

    def winner(self):
        """The colour that has completed a line, or None."""
        for colour in chess.COLORS:
            if any(line.issubset(chess.SquareSet(self.occupied_co[colour])) for line in LINES):
                return colour
        return None

    def is_over(self):
        return not self.drops()

    def fen(self, **_):
        """The position as programs for chess variants write it."""
        letters = {None: ".", chess.WHITE: "P", chess.BLACK: "p"}
        rows = ["".join(letters[self.color_at(chess.square(file, rank))] for file in range(SIZE))
                for rank in reversed(range(SIZE))]
        board = "/".join(rows)
        for run in range(SIZE, 0, -1):
            board = board.replace("." * run, str(run))
        hands = "P" * (5 - board.count("P")) + "p" * (4 - board.count("p"))
        return f"{board}[{hands}] {'w' if self.turn else 'b'} - - 0 1"

    # XBoard's protocol writes moves as UCI does.

    def xboard(self, move, chess960=None):
        return move.uci()

    def parse_xboard(self, text):
        return self.parse_uci(text)

    def push_xboard(self, text):
        return self.push_uci(text)


def play(engine, colour, generator):
    """A game of the engine against moves at random; returns the board at its end."""
    board, game = TicTacToe(), object()
    while not board.is_over():
        if board.turn == colour:
            result = engine.play(board, chess.engine.Limit(time=0.05), game=game, info=chess.engine.INFO_ALL)
            assert board.is_legal(result.move), f"{result.move} in {board.fen()}"
            board.push(result.move)
        else:
            board.push(generator.choice(board.drops()))
    assert board.winner() != (not colour), f"the engine has lost: {board.fen()}"
    return board


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("engine", help="the engine")
    path = parser.parse_args().engine
    # It warns of lines that it does not know, such as those with which XBoard learns of a variant.
    logging.getLogger("chess.engine").setLevel(logging.ERROR)
    generator = random.Random(1)
    for protocol, start in (
        ("UCI", chess.engine.SimpleEngine.popen_uci),
        ("XBoard", chess.engine.SimpleEngine.popen_xboard),
    ):
        with start(path) as engine:
            assert "Noughts" in engine.id["name"], engine.id
            assert engine.options["player"].default == "auto", engine.options
            engine.ping()
            engine.configure({"player": "perfect", "seed": 1})
            ends = [play(engine, colour, generator) for colour in chess.COLORS for _ in range(5)]
            won = sum(end.winner() is not None for end in ends)
            solved = TicTacToe()
            solved.push(chess.Move.from_uci("P@b1"))
            info = engine.analyse(solved, chess.engine.Limit(time=0.2))
            assert info["score"].relative == chess.engine.Cp(0), info
            engine.ping()
            options = len(engine.options)
        print(f"{protocol}: {options} options, {len(ends)} games, {won} won, {len(ends) - won} drawn")
    return 0


if __name__ == "__main__":
    sys.exit(main())
