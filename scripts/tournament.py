#!/usr/bin/env python3
"""Plays the built-in players against each other on 3x3 and 4x4 under both rules, and prints one table of scores.

    scripts/tournament.py
    scripts/tournament.py --games 5000 --folder results

    scripts/tournament.py --folder results --shard auto/8        one of eight tasks of a cluster; then --join

Everybody plays everybody, with both colours. The same seed gives the same table on every machine. With --folder the
games are recorded there, for `noughts report`; a tournament that was broken off is continued.
"""

import argparse
import subprocess
import sys

import shards

PLAYERS = {
    "perfect": "option.player=perfect",
    "montecarlo 1000": "option.player=montecarlo option.trials=1000",
    "montecarlo 100": "option.player=montecarlo option.trials=100",
    "montecarlo 10": "option.player=montecarlo option.trials=10",
    "random": "option.player=random",
}

# Perfect play is known on the small board only.
GAMES = {
    "3x3": (["--size", "3"], list(PLAYERS)),
    "3x3 reverse": (["--size", "3", "--reverse"], list(PLAYERS)),
    "4x4": (["--size", "4"], list(PLAYERS)[1:]),
    "4x4 reverse": (["--size", "4", "--reverse"], list(PLAYERS)[1:]),
}


def play(name, arguments, players, options):
    """Plays a round robin and returns the score of each player with its 95% interval; None for a part of it."""
    command = ["match", "--each", "cmd=noughts"] + arguments
    for player in players:
        command += ["--engine", f"name='{player}' {PLAYERS[player]}"]
    command += ["--games", str(options.games), "--seed", str(options.seed), "--concurrency", str(options.concurrency)]
    result = shards.result(command, name, options)
    return result and {engine["name"]: engine["score_range"] for engine in result["engines"]}


def cell(score):
    """A score and how far the interval reaches from it, or nothing for who did not play."""
    if score is None:
        return ""
    reach = max(score["high"] - score["value"], score["value"] - score["low"])
    return f"{score['value']:.3f} ± {reach:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="games for each pair of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrency", type=int, default=2, help="games that are played at the same time")
    shards.add_arguments(parser)
    options = parser.parse_args()
    shards.prepare(options)

    scores = {name: play(name, *game, options) for name, game in GAMES.items()}
    if options.shard:
        return
    print("| score | " + " | ".join(GAMES) + " |")
    print("|---|" + "---|" * len(GAMES))
    for player in PLAYERS:
        row = [cell(scores[name].get(player)) for name in GAMES]
        print(f"| {player} | " + " | ".join(row) + " |")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
