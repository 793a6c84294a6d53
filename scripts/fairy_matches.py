#!/usr/bin/env python3
"""Plays matches against Fairy-Stockfish, prints the scores and checks them.

    scripts/fairy_matches.py

On 3x3 the openings are draws, so the engine must not lose a game, as X or as O. On 5x5 with four in a row every
opening is played with both colours, and the engine must score half of the points at least. No game may end by time, an
illegal move, a crash or a stall. Last comes the exam of Fairy-Stockfish on 3x3; its result is printed. The exit code is
0 if everything was as it should be. NOUGHTS and FAIRY_STOCKFISH name other programs.
"""

import json
import os
import subprocess
import sys

import noughts_program

NOUGHTS = noughts_program.find()
FAIRY = f"cmd='{os.environ.get('FAIRY_STOCKFISH', 'fairy-stockfish')}' proto=uci"
ENGINES = ["--engine", f"name=Noughts cmd='{NOUGHTS}'", "--engine", f"name=Fairy-Stockfish {FAIRY}"]
FAULTS = ["time", "illegal", "crash", "stall"]


def run(*words):
    """The output of the program."""
    return subprocess.run([NOUGHTS, *words, "--nodes", "10000"], stdout=subprocess.PIPE, text=True, check=True).stdout


def play(title, words, games=20):
    """Plays a match and prints its scores. Returns those of the engine, and what was wrong."""
    common = ["--openings", "random:2", "--games", str(games), "--seed", "1", "--format", "json"]
    result = json.loads(run("match", *ENGINES, *words, *common))
    # The best engine stands first, so the engine is found by its place on the command line.
    (ours,) = [engine for engine in result["engines"] if engine["engine"] == 0]
    (pairing,) = result["pairings"]
    print(f"{title}, {result['games']} games, {result['limit']}, {' against '.join(pairing['engines'])}")
    for name, part in (("all", ours), ("as X", ours["x"]), ("as O", ours["o"])):
        print(f"  {name:4}  won {part['wins']}, drawn {part['draws']}, lost {part['losses']}, score {part['score']:.3f}")
    faults = [f"{pairing['reasons'][fault]} games ended by {fault}" for fault in FAULTS if pairing["reasons"][fault]]
    if result["games"] != games:
        faults.append(f"{result['games']} games were played, not {games}")
    return ours, faults


def main():
    small, wrong = play("3x3", ["--balanced"])
    if small["losses"]:
        wrong.append(f"{small['losses']} games were lost, and every opening is a draw")
    large, faults = play("5x5 connect 4", ["--size", "5", "--connect", "4"])
    wrong += faults
    if large["score"] < 0.5:
        wrong.append(f"the score is {large['score']:.3f}, less than half of the points")
    # Fairy-Stockfish knows no reverse rules.
    print("Fairy-Stockfish's exam on " + run("exam", "--engine", FAIRY, "--rules", "normal").splitlines()[0])
    for words in wrong:
        print(f"WRONG: {words}")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"WRONG: {error}")
