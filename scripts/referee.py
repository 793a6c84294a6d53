#!/usr/bin/env python3
"""Has OpenSpiel or pyffish judge whole games of an engine, which are played through pipes.

    python3 -m pip install open_spiel pyffish
    scripts/referee.py open_spiel target/release/noughts
    scripts/referee.py pyffish target/release/noughts

After every move the engine and the referee must agree on the legal moves and on the result. The engine plays against
moves at random, each colour in turn. The exit code is 0 if there was no disagreement and no illegal move.
"""

import random
import sys
from collections import Counter

from play_match import Engine

# A board as pyffish, the rules of Fairy-Stockfish, reads it: chess without chessmen, in which stones are dropped.
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


class OpenSpiel:
    """A game of OpenSpiel, whose actions count the cells in reading order."""

    # The name of the game, rows and columns, how many in a row, whether a line loses, and the games of each player.
    BOARDS = [
        ("tic_tac_toe", 3, 3, False, 20),
        ("mnk(m=5,n=5,k=4)", 5, 4, False, 10),
        ("gomoku(size=6,connect=3)", 6, 3, False, 10),
        ("gomoku(size=15)", 15, 5, False, 2),
        ("gomoku(size=3,connect=3,anti=true)", 3, 3, True, 20),
        ("gomoku(size=5,connect=4,anti=true)", 5, 4, True, 10),
    ]

    def __init__(self, name, size, _connect):
        import pyspiel

        self.state, self.size = pyspiel.load_game(name).new_initial_state(), size

    def moves(self):
        """The cells that may be played, as (row, column) from the top left; none when the game is over."""
        return [divmod(action, self.size) for action in self.state.legal_actions()]

    def play(self, cell):
        self.state.apply_action(cell[0] * self.size + cell[1])

    def result(self):
        """"p1win" (X), "p2win" (O), "draw" or "none"."""
        if not self.state.is_terminal():
            return "none"
        return {1: "p1win", -1: "p2win", 0: "draw"}[self.state.returns()[0]]


class Pyffish:
    """A game of pyffish. Squares are named as in chess: a file, and a rank from the bottom."""

    BOARDS = [(f"{size}x{size} connect {connect}", size, connect, False, games)
              for size, connect, games in [(3, 3, 20), (5, 4, 10), (6, 3, 10), (10, 5, 3)]]

    def __init__(self, _name, size, connect):
        import pyffish

        self.pyffish, self.size, self.played = pyffish, size, []
        self.variant, cells = f"noughts{size}connect{connect}", size * size
        start = "/".join([str(size)] * size) + f"[{'P' * ((cells + 1) // 2)}{'p' * (cells // 2)}] w - - 0 1"
        if self.variant not in pyffish.variants():
            pyffish.load_variant_config(VARIANT.format(size=size, connect=connect, start=start))
        self.start = pyffish.start_fen(self.variant)
        self.look()

    def look(self):
        """Asks pyffish once a move, because it plays all moves of the game again for each question."""
        game = self.variant, self.start, self.played
        over, value = self.pyffish.is_immediate_game_end(*game)
        self.value = value if over else 0
        self.drops = [] if over else self.pyffish.legal_moves(*game)

    def moves(self):
        return [(self.size - int(drop[3:]), ord(drop[2]) - ord("a")) for drop in self.drops]

    def play(self, cell):
        self.played.append(f"P@{chr(ord('a') + cell[1])}{self.size - cell[0]}")
        self.look()

    def result(self):
        if self.drops:
            return "none"
        # The value is that of the player to move.
        return ("p1win" if (self.value < 0) == (len(self.played) % 2 == 1) else "p2win") if self.value else "draw"


class Disagreement(Exception):
    """The engine and the referee do not say the same, or the engine has played an illegal move."""


def play(engine, referee, turn, generator):
    """Plays a game of the engine (turn 0: as X, 1: as O) against moves at random; returns its result."""
    engine.send("newgame")
    moves = []
    while True:
        engine.send(f"position startpos moves {' '.join(moves)}" if moves else "position startpos")
        (result,) = engine.ask("query result", "response")
        legal = set(engine.ask("query moves", "response"))
        allowed = {"{},{}".format(*cell): cell for cell in referee.moves()}
        where = "after " + (" ".join(moves) or "no move")
        if result != referee.result():
            raise Disagreement(f"{where} the engine says {result}, the referee {referee.result()}")
        if legal != set(allowed):
            raise Disagreement(f"{where} these moves are legal to one of the two alone: {sorted(legal ^ set(allowed))}")
        if result != "none":
            return result
        if len(moves) % 2 == turn:
            (move,) = engine.ask("go nodes 200", "bestmove")
        else:
            move = generator.choice(sorted(allowed))
        if move not in allowed:
            raise Disagreement(f"{where} the engine plays {move}, which is illegal to the referee")
        referee.play(allowed[move])
        moves.append(move)


def hold(command, new_referee, name, size, connect, reverse, games):
    """Plays games on a board with each of the players and prints a line; returns whether all was right."""
    generator = random.Random(1)
    ends = Counter()
    engine = Engine(command, [f"size {size}", f"connect {connect}", f"reverse {str(reverse).lower()}", "seed 1"])
    try:
        for player in ("perfect", "mcts", "montecarlo", "random"):
            engine.send(f"setoption player {player}")
            for game in range(games):
                turn = game % 2
                result = play(engine, new_referee(name, size, connect), turn, generator)
                if player == "perfect" and size == 3 and result == ("p2win", "p1win")[turn]:
                    raise Disagreement("perfect play has lost on 3x3")
                ends[result] += 1
    except (Disagreement, EOFError) as error:
        print(f"{name:40} WRONG: {error}", flush=True)
        return False
    finally:
        engine.quit()
    print(f"{name:40} {sum(ends.values())} games: "
          f"X won {ends['p1win']}, O won {ends['p2win']}, drawn {ends['draw']}", flush=True)
    return True


def main():
    referees = {"open_spiel": OpenSpiel, "pyffish": Pyffish}
    if len(sys.argv) != 3 or sys.argv[1] not in referees:
        print(__doc__, file=sys.stderr)
        return 2
    referee = referees[sys.argv[1]]
    return 0 if all([hold(sys.argv[2], referee, *board) for board in referee.BOARDS]) else 1


if __name__ == "__main__":
    sys.exit(main())
