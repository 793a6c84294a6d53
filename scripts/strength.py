#!/usr/bin/env python3
"""How strong the tree search is: mcts against montecarlo at equal time, both colours of every random opening.

    scripts/strength.py
    scripts/strength.py --games 100 --only 5,4
    scripts/strength.py --folder results --shard auto/8        one of eight tasks of a cluster; then --join

Prints a row of Markdown for each game, and fails when a score is below its mark. The openings are proven to be drawn
where such a proof is in reach; elsewhere the exchange of colours has to balance them. All rows take about an hour.
"""

import argparse
import subprocess
import sys

import shards
from shards import NOUGHTS

# Size, connect, reverse, milliseconds a move, random plies of an opening, whether they are proven to be draws, and the
# least score of mcts.
ROWS = [
    (5, 4, False, 1, 4, True, 0.65),
    (5, 4, True, 1, 8, True, 0.58),
    (8, 5, False, 20, 4, False, 0.65),
    (10, 5, False, 20, 4, False, 0.65),
    (15, 5, False, 100, 4, False, 0.80),
]


def play(row, options):
    """The result of mcts against montecarlo; None for a part of the games."""
    size, connect, reverse, time, plies, balanced, _ = row
    command = ["match", "--seed", "1", "--games", str(options.games), "--concurrency", str(options.concurrency)]
    for player in ("mcts", "montecarlo"):
        # The whole time is for the search; the runner forgives what comes a little later.
        command += ["--engine", f'name={player} cmd={NOUGHTS} option.player={player} "option.Move Overhead=0"']
    command += ["--size", str(size), "--connect", str(connect), "--movetime", str(time)]
    command += ["--openings", f"random:{plies}"]
    command += ["--reverse"] * reverse + ["--balanced"] * balanced
    result = shards.result(command, f"{size}x{size}-{connect}" + "-reverse" * reverse, options)
    return result and result["pairings"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="games of each row [400]")
    parser.add_argument("--concurrency", type=int, default=1, help="games at the same time [1]")
    parser.add_argument("--only", metavar="SIZE,CONNECT", help="only the rows of this board")
    shards.add_arguments(parser)
    arguments = parser.parse_args()
    shards.prepare(arguments)
    if not arguments.shard:
        print("| board | a move | openings | games | won, drawn, lost | score of mcts (95%) | mark |")
        print("|---|---|---|---|---|---|---|")
    below = []
    for row in ROWS:
        size, connect, reverse, time, plies, balanced, mark = row
        if arguments.only and arguments.only != f"{size},{connect}":
            continue
        result = play(row, arguments)
        if arguments.shard:
            continue
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
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
