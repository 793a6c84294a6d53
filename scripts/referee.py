"""Games of an engine under a referee of another library, move by move. Shared by the scripts referee_*.py.

A referee is an object for one game, with these methods:

    moves()      the cells that may be played, as (row, column) from the top left; none when the game is over
    play(cell)   plays one
    result()     "p1win" (X), "p2win" (O), "draw" or "none"
"""

import random
import sys
from collections import Counter

from play_match import Engine


class Disagreement(Exception):
    """The engine and the referee do not say the same, or the engine has played an illegal move."""


def cell_name(cell):
    return "{},{}".format(*cell)


def compare(engine, referee, moves):
    """Compares the legal moves and the result after these moves; returns the result."""
    engine.send(f"position startpos moves {' '.join(moves)}" if moves else "position startpos")
    (result,) = engine.ask("query result", "response")
    legal = set(engine.ask("query moves", "response"))
    allowed = {cell_name(cell) for cell in referee.moves()}
    where = "after " + (" ".join(moves) or "no move")
    if result != referee.result():
        raise Disagreement(f"{where} the engine says {result}, the referee {referee.result()}")
    if legal != allowed:
        raise Disagreement(f"{where} these moves are legal to one of the two alone: {sorted(legal ^ allowed)}")
    return result


def play(engine, referee, turn, generator):
    """Plays a game of the engine (turn 0: as X, 1: as O) against moves at random; returns its result."""
    engine.send("newgame")
    moves = []
    while (result := compare(engine, referee, moves)) == "none":
        if len(moves) % 2 == turn:
            (move,) = engine.ask("go nodes 200", "bestmove")
        else:
            move = cell_name(generator.choice(sorted(referee.moves())))
        if move not in {cell_name(cell) for cell in referee.moves()}:
            raise Disagreement(f"after {' '.join(moves)} the engine plays {move}, which is illegal to the referee")
        referee.play(tuple(int(number) for number in move.split(",")))
        moves.append(move)
    return result


def hold(command, title, options, new_referee, games, players=("perfect", "mcts", "montecarlo", "random")):
    """Plays games with each of these players and prints a line; returns whether all was right."""
    generator = random.Random(1)
    ends = Counter()
    engine = Engine(command, [*options, "seed 1"])
    try:
        for player in players:
            engine.send(f"setoption player {player}")
            for game in range(games):
                turn = game % 2
                result = play(engine, new_referee(), turn, generator)
                if player == "perfect" and "size 3" in options and result == ("p2win", "p1win")[turn]:
                    raise Disagreement("perfect play has lost on 3x3")
                ends[result] += 1
    except (Disagreement, EOFError) as error:
        print(f"{title:40} WRONG: {error}", flush=True)
        return False
    finally:
        engine.quit()
    print(f"{title:40} {sum(ends.values())} games: "
          f"X won {ends['p1win']}, O won {ends['p2win']}, drawn {ends['draw']}", flush=True)
    return True


def main(described, new_referees):
    """Holds the games of a script: a list of (title, options, new_referee, games)."""
    if len(sys.argv) != 2:
        print(described, file=sys.stderr)
        return 2
    return 0 if all([hold(sys.argv[1], *each) for each in new_referees]) else 1
