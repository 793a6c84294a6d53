#!/usr/bin/env python3
"""Has OpenSpiel judge whole games of an engine, which are played through pipes.

    python3 -m pip install open_spiel
    scripts/referee_open_spiel.py target/release/noughts

After every move the engine and OpenSpiel must agree on the legal moves and on the result. The engine plays against
moves at random, each colour in turn. The games are OpenSpiel's tic_tac_toe, mnk and gomoku, the last also with lines
that lose. The exit code is 0 if there was no disagreement and no illegal move.
"""

import sys

import pyspiel
import referee


class Referee:
    """A game of OpenSpiel on a square board, whose actions count the cells in reading order."""

    def __init__(self, game, size):
        self.state, self.size = game.new_initial_state(), size

    def moves(self):
        return [divmod(action, self.size) for action in self.state.legal_actions()]

    def play(self, cell):
        self.state.apply_action(cell[0] * self.size + cell[1])

    def result(self):
        if not self.state.is_terminal():
            return "none"
        return {1: "p1win", -1: "p2win", 0: "draw"}[self.state.returns()[0]]


def match(name, size, connect, reverse, games):
    game = pyspiel.load_game(name)
    options = [f"size {size}", f"connect {connect}", f"reverse {str(reverse).lower()}"]
    return name, options, lambda: Referee(game, size), games


MATCHES = [
    match("tic_tac_toe", 3, 3, False, 20),
    match("mnk(m=5,n=5,k=4)", 5, 4, False, 10),
    match("gomoku(size=6,connect=3)", 6, 3, False, 10),
    match("gomoku(size=15)", 15, 5, False, 2),
    match("gomoku(size=3,connect=3,anti=true)", 3, 3, True, 20),
    match("gomoku(size=5,connect=4,anti=true)", 5, 4, True, 10),
]

if __name__ == "__main__":
    sys.exit(referee.main(__doc__, MATCHES))
