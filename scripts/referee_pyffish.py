#!/usr/bin/env python3
"""Has pyffish, the rules of Fairy-Stockfish, judge whole games of an engine, which are played through pipes.

    python3 -m pip install pyffish
    scripts/referee_pyffish.py target/release/noughts

After every move the engine and pyffish must agree on the legal moves and on the result. The engine plays against moves
at random, each colour in turn. The games are described to pyffish as chess without chessmen, in which stones are
dropped. The exit code is 0 if there was no disagreement and no illegal move.
"""

import sys

import pyffish
import referee

VARIANT = """[noughts{size}connect{connect}]
maxRank = {size}
maxFile = {size}
startFen = {start}
immobile = p
pieceDrops = true
doubleStep = false
castling = false
promotionPieceTypes = -
nMoveRule = 0
nFoldRule = 0
stalemateValue = draw
immobilityIllegal = false
connectN = {connect}
"""


class Referee:
    """A game of pyffish. Squares are named as in chess: a file, and a rank from the bottom."""

    def __init__(self, variant, size):
        self.variant, self.size, self.played = variant, size, []
        self.start = pyffish.start_fen(variant)
        self.look()

    def look(self):
        """Asks pyffish once a move, because it plays all moves of the game again for each question."""
        over, value = pyffish.is_immediate_game_end(self.variant, self.start, self.played)
        self.drops = [] if over else pyffish.legal_moves(self.variant, self.start, self.played)
        if over and value:
            # The value is that of the player to move.
            self.end = "p1win" if (value < 0) == (len(self.played) % 2 == 1) else "p2win"
        else:
            self.end = "none" if self.drops else "draw"

    def result(self):
        return self.end

    def moves(self):
        return [(self.size - int(drop[3:]), ord(drop[2]) - ord("a")) for drop in self.drops]

    def play(self, cell):
        self.played.append(f"P@{chr(ord('a') + cell[1])}{self.size - cell[0]}")
        self.look()


def match(size, connect, games):
    cells = size * size
    hands = "P" * ((cells + 1) // 2) + "p" * (cells // 2)
    start = "/".join([str(size)] * size) + f"[{hands}] w - - 0 1"
    pyffish.load_variant_config(VARIANT.format(size=size, connect=connect, start=start))
    options = [f"size {size}", f"connect {connect}"]
    name = f"noughts{size}connect{connect}"
    return f"{size}x{size} connect {connect}", options, lambda: Referee(name, size), games


if __name__ == "__main__":
    sys.exit(referee.main(__doc__, [match(3, 3, 20), match(5, 4, 10), match(6, 3, 10), match(10, 5, 3)]))
