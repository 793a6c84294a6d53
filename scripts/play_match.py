#!/usr/bin/env python3
"""Plays two engines against each other over pipes, with nothing but the standard library.

    scripts/play_match.py --games 20 "target/release/noughts" "python3 scripts/engine_template.py"
    scripts/play_match.py --set "size 4" "noughts --option trials=100" "noughts --option trials=1000"

Each engine is a command line; the two take turns to begin. A third engine, Noughts itself, is the referee: it
alone says which moves are legal and who has won. An engine that plays an illegal move or ends loses the game.
"""

import argparse
import os
import shlex
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
NOUGHTS = os.environ.get("NOUGHTS", os.path.join(HERE, "..", "target", "release", "noughts"))


class Engine:
    """A process that is spoken to in lines."""

    def __init__(self, command, options):
        self.command, self.options = shlex.split(command), options
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("ugi", "ugiok")
        for option in self.options:
            name, _, value = option.partition(" ")
            self.send(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def new_game(self):
        """Begins a game, with a new process if the last one has ended."""
        if self.process.poll() is not None:
            self.start()
        self.send("newgame")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def ask(self, line, answer):
        """Sends a line and returns the words behind the answer, the first line that begins like this."""
        self.send(line)
        for said in self.process.stdout:
            words = said.split()
            if words and words[0] == answer:
                return words[1:]
        self.process.wait(timeout=10)
        raise EOFError(f"the engine ended without {answer}")


def play(players, referee):
    """Plays one game; players[0] is X. Returns the result as the referee says it: p1win, p2win or draw."""
    moves = []
    for player in players:
        player.new_game()
    while True:
        position = "position startpos moves " + " ".join(moves) if moves else "position startpos"
        referee.send(position)
        (result,) = referee.ask("query result", "response")
        if result != "none":
            return result
        turn = len(moves) % 2
        try:
            players[turn].send(position)
            (move,) = players[turn].ask("go", "bestmove")
        except (EOFError, BrokenPipeError, ValueError):
            move = "nothing"
        if move not in referee.ask("query moves", "response"):
            print(f"illegal: {move} after {' '.join(moves)}")
            return "p2win" if turn == 0 else "p1win"
        moves.append(move)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs=2, metavar="ENGINE", help="a command line")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--set", action="append", default=[], help='an option of both engines, such as "size 4"')
    options = parser.parse_args()

    engines = [Engine(command, options.set) for command in options.engines]
    referee = Engine(shlex.quote(NOUGHTS), options.set)
    score = {"first wins": 0, "draws": 0, "second wins": 0}
    for game in range(options.games):
        # The first engine is X in every other game.
        order = engines if game % 2 == 0 else engines[::-1]
        result = play(order, referee)
        first_wins = (result == "p1win") == (game % 2 == 0)
        score["draws" if result == "draw" else "first wins" if first_wins else "second wins"] += 1
    for engine in [*engines, referee]:
        engine.process.communicate()
    print(", ".join(f"{name} {count}" for name, count in score.items()))


if __name__ == "__main__":
    main()
