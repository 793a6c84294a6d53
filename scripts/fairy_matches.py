#!/usr/bin/env python3
"""Plays matches against Fairy-Stockfish with scripts/fairy_stockfish.sh, prints the scores and checks them.

    NOUGHTS=target/release/noughts scripts/fairy_matches.py

On 3x3 the openings are draws, so the engine must not lose a game, as X or as O. On 5x5 with four in a row every
opening is played with both colours, and the engine must score half of the points at least. No game may end by time, an
illegal move, a crash or a stall. Last comes the exam of Fairy-Stockfish on 3x3; its result is printed. The exit code is
0 if everything was as it should be.
"""

import json
import os
import subprocess
import sys

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fairy_stockfish.sh")
FAULTS = ["time", "illegal", "crash", "stall"]


class Wrong(Exception):
    """Something that must not happen in a match."""


def run(words):
    """Runs the script and returns what it prints."""
    done = subprocess.run([SCRIPT, *words], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Wrong(f"fairy_stockfish.sh {' '.join(words)} ended with exit code {done.returncode}")
    return done.stdout


def play(title, words, games, check):
    """Plays a match and prints its scores; check takes the engine's score and returns what is wrong, if anything."""
    result = json.loads(run([*words, "--games", str(games), "--format", "json"]))
    # The best engine stands first, so the engine is found by its place on the command line.
    (ours,) = [engine for engine in result["engines"] if engine["engine"] == 0]
    (pairing,) = result["pairings"]
    print(f"{title}, {result['games']} games, {result['limit']}, {' against '.join(pairing['engines'])}")
    for name, part in (("all", ours), ("as X", ours["x"]), ("as O", ours["o"])):
        print(f"  {name:4}  won {part['wins']}, drawn {part['draws']}, lost {part['losses']}, score {part['score']:.3f}")
    sys.stdout.flush()
    if result["games"] != games:
        raise Wrong(f"{result['games']} games were played, not {games}")
    faults = [f"{pairing['reasons'][fault]} by {fault}" for fault in FAULTS if pairing["reasons"][fault]]
    if faults:
        raise Wrong("games ended " + ", ".join(faults))
    if wrong := check(ours):
        raise Wrong(wrong)


def no_loss(ours):
    return f"{ours['losses']} games were lost, and every opening is a draw" if ours["losses"] else None


def half_the_points(ours):
    return f"the score is {ours['score']:.3f}, less than half of the points" if ours["score"] < 0.5 else None


def main():
    if len(sys.argv) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    faults = 0
    for step in (
        lambda: play("3x3", ["--openings", "random:2", "--balanced"], 20, no_loss),
        lambda: play("5x5 connect 4", ["--size", "5", "--connect", "4"], 20, half_the_points),
        lambda: print("Fairy-Stockfish's exam on " + run(["exam"]).splitlines()[0]),
    ):
        try:
            step()
        except Wrong as error:
            faults += 1
            print(f"WRONG: {error}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
