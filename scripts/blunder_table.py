#!/usr/bin/env python3
"""Asks the built-in players for a move in every position and prints how often they give value away, as one table.

    scripts/blunder_table.py
    scripts/blunder_table.py --size 4 --sample 10000

Of all positions where some move gives value away: the share of answers that do, under normal and reverse rules. The
same seed gives the same table on every machine. Players that the engine does not know are left out.
"""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from shards import NOUGHTS

# The name of a row, the player, its playouts, and how often each position is asked; None: the player's equally good
# moves share one answer, and the figure is exact.
ROWS = [
    ("moves at random", "random", None, None),
    ("flat, 10 playouts", "montecarlo", 10, 20),
    ("flat, 100 playouts", "montecarlo", 100, 20),
    ("flat, 1,000 playouts", "montecarlo", 1000, 5),
    ("flat, 10,000 playouts", "montecarlo", 10000, 2),
    ("flat, the limit", "montecarlolimit", None, None),
    ("tree search, 10 playouts", "mcts", 10, 20),
    ("tree search, 100 playouts", "mcts", 100, 20),
    ("tree search, 1,000 playouts", "mcts", 1000, 5),
    ("tree search, 10,000 playouts", "mcts", 10000, 2),
    ("perfect play", "perfect", None, None),
]

# The largest board on which the limit is known.
LIMIT_UP_TO = 3


def players():
    """The players that the engine declares."""
    said = subprocess.run([NOUGHTS], input="ugi\nquit\n", stdout=subprocess.PIPE, check=True, text=True).stdout
    declared = next(line for line in said.splitlines() if line.startswith("option name player "))
    words = declared.split()
    return {name for key, name in zip(words, words[1:]) if key == "var"}


def exam(player, trials, repeat, options):
    """The share of answers that give value away, under normal and reverse rules."""
    command = [NOUGHTS, "exam", "--format", "json", "--engine", f"cmd=noughts option.player={player}"]
    command += ["--size", str(options.size), "--connect", str(options.connect), "--seed", str(options.seed)]
    command += ["--sample", options.sample] if options.sample else []
    command += ["--trials", str(trials)] if trials else []
    # A sample of positions is a sample already.
    command += ["--ties"] if repeat is None else ["--repeat", "1" if options.sample else str(repeat)]
    report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return [marks["all"]["rate_where_possible"] for marks in report["exams"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=3, help="rows and columns, up to 4")
    parser.add_argument("--connect", type=int, default=0, help="how many in a row; 0 for as many as there are rows")
    parser.add_argument("--sample", help="how many positions to ask, each once; all if nothing is said, 2000 on 4x4")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.size > 3 and not options.sample:
        options.sample = "2000"

    known = players()
    name = f"{options.size}x{options.size}" + (f" connect {options.connect}" if options.connect else "")
    print(f"| player | {name} | {name} reverse | answers |")
    print("|---|---|---|---|")
    rows = [row for row in ROWS if row[1] in known and (row[1] != "montecarlolimit" or options.size <= LIMIT_UP_TO)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        exams = pool.map(lambda row: exam(*row[1:], options), rows)
        for (row, _, _, repeat), marks in zip(rows, exams):
            rates = [f"{rate:.4f}" for rate in marks]
            answers = "shared by equal moves" if repeat is None else "1" if options.sample else str(repeat)
            print(f"| {row} | {' | '.join(rates)} | {answers} |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
