#!/usr/bin/env python3
"""How strong the tree search is: mcts against montecarlo at equal time, both colours of every random opening.

    scripts/strength.py
    scripts/strength.py --games 100 --only 5,4

Prints a row of Markdown for each game, and fails when a score is below its mark. The openings are proven to be drawn
where such a proof is in reach; elsewhere the exchange of colours has to balance them. All rows take about an hour.
"""

import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NOUGHTS = os.environ.get("NOUGHTS", os.path.join(HERE, "..", "target", "release", "noughts"))

# Size, connect, reverse, milliseconds a move, random plies of an opening, whether they are proven to be draws, and the
# least score of mcts.
ROWS = [
    (5, 4, False, 1, 4, True, 0.65),
    (5, 4, True, 1, 8, True, 0.58),
    (8, 5, False, 20, 4, False, 0.65),
    (10, 5, False, 20, 4, False, 0.65),
    (15, 5, False, 100, 4, False, 0.80),
]


def play(row, games, concurrency):
    """The result of mcts against montecarlo."""
    size, connect, reverse, time, plies, balanced, _ = row
    command = [NOUGHTS, "match", "--format", "json", "--seed", "1", "--games", str(games)]
    for player in ("mcts", "montecarlo"):
        # The whole time is for the search; the runner forgives what comes a little later.
        command += ["--engine", f'name={player} cmd={NOUGHTS} option.player={player} "option.Move Overhead=0"']
    command += ["--size", str(size), "--connect", str(connect), "--movetime", str(time)]
    command += ["--openings", f"random:{plies}", "--concurrency", str(concurrency)]
    command += ["--reverse"] * reverse + ["--balanced"] * balanced
    finished = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(finished.stdout)["pairings"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="games of each row [400]")
    parser.add_argument("--concurrency", type=int, default=1, help="games at the same time [1]")
    parser.add_argument("--only", metavar="SIZE,CONNECT", help="only the rows of this board")
    arguments = parser.parse_args()
    print("| board | a move | openings | games | won, drawn, lost | score of mcts (95%) | mark |")
    print("|---|---|---|---|---|---|---|")
    below = []
    for row in ROWS:
        size, connect, reverse, time, plies, balanced, mark = row
        if arguments.only and arguments.only != f"{size},{connect}":
            continue
        result = play(row, arguments.games, arguments.concurrency)
        span = result["score_range"]
        board = f"{size}x{size}, {connect} in a row" + ", reverse" * reverse
        openings = f"{plies} random plies" + ", drawn" * balanced
        counts = f"{result['wins']}, {result['draws']}, {result['losses']}"
        score = f"{result['score']:.3f} ({span['low']:.3f} to {span['high']:.3f})"
        print(f"| {board} | {time} ms | {openings} | {result['games']} | {counts} | {score} | {mark} |", flush=True)
        if result["score"] < mark:
            below.append(board)
    if below:
        sys.exit("below the mark: " + "; ".join(below))


if __name__ == "__main__":
    main()
