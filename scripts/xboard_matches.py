#!/usr/bin/env python3
"""Has XBoard play matches with an engine, and checks what XBoard has saved with a referee of its own.

    xvfb-run -a scripts/xboard_matches.py [ENGINE]

The engine plays itself on several boards under both rules, and Fairy-Stockfish on 3x3. In some of the matches one
side gets the engine option `player random`, so that lines are completed. XBoard needs a screen, which xvfb-run brings;
it and Fairy-Stockfish must be installed (Debian: xboard xvfb xauth fairy-stockfish). One line is printed for each match;
the exit code is 0 if every game was legal, complete, and claimed right.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import namedtuple

import noughts_program

# Debian keeps games where the search path of root does not look.
os.environ["PATH"] = os.environ.get("PATH", "") + os.pathsep + "/usr/games"

# Tic-tac-toe in Fairy-Stockfish's language: stones that never move, enough of them in hand, three in a row.
FAIRY_VARIANT = """[tictactoe]
startFen = 3/3/3[PPPPPpppp] w - - 0 1
maxFile = 3
maxRank = 3
immobile = p
pieceDrops = true
connectN = 3
"""

# A match of so many games. The players are "engine", "random" (the engine with `player random`) or "fairy"; the
# first begins, then colours change with every game. `seconds` is the time limit for the whole match.
Match = namedtuple("Match", "variant size reverse first second games seconds")
MATCHES = [
    Match("tictactoe", 3, False, "engine", "engine", 4, 20),
    Match("tictactoe", 3, False, "engine", "random", 6, 20),
    Match("noughts5", 5, False, "random", "engine", 4, 30),
    Match("noughts10", 10, False, "engine", "engine", 1, 60),
    Match("noughts10", 10, False, "engine", "random", 2, 60),
    Match("noughts12", 12, False, "random", "random", 2, 60),
    Match("reverse3", 3, True, "engine", "engine", 2, 20),
    Match("reverse3", 3, True, "engine", "random", 6, 20),
    Match("tictactoe", 3, False, "engine", "fairy", 4, 40),
    Match("tictactoe", 3, False, "fairy", "random", 4, 40),
]


class Wrong(Exception):
    """Something that must not happen in a match."""


def judge(match, squares):
    """Replays a game and returns its result and how it must be claimed; raises Wrong if it is not legal."""
    steps = range(match.size)
    lines = [[(file, rank) for file in steps] for rank in steps] + [[(file, rank) for rank in steps] for file in steps]
    lines += [[(i, i) for i in steps], [(i, match.size - 1 - i) for i in steps]]
    stones, end = {}, None
    for number, square in enumerate(squares, 1):
        if end:
            raise Wrong(f"move {number} comes after the end of the game")
        if square in stones or not all(0 <= place < match.size for place in square):
            raise Wrong(f"move {number} is taken or off the board: {square}")
        player = "XO"[(number - 1) % 2]
        stones[square] = player
        if any(all(stones.get(cell) == player for cell in line) for line in lines):
            end = "1-0" if (player == "X") != match.reverse else "0-1", f"{player} completed a line"
        elif len(stones) == match.size**2:
            end = "1/2-1/2", "the board is full"
    if not end:
        raise Wrong(f"the game is not over after {len(squares)} moves")
    return end


def read_games(path, size):
    """The games of a PGN file of XBoard: tags, squares as (file, rank) from 0, the text of the claim, and the result."""
    first_rank = 0 if size == 10 else 1  # XBoard counts from 0 on boards with ten ranks, and only there.
    with open(path, encoding="utf-8", errors="replace") as file:
        records = file.read().split("[Event ")[1:]
    for record in records:
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', record, re.MULTILINE))
        text = re.sub(r"^\[?.*\]\n", "", record, flags=re.MULTILINE)
        text = re.sub(r"\{-+\n.*?-+\}", "", text, flags=re.DOTALL)  # the drawing of the first position
        end = re.search(r"\{([^{}]*)\}\s*(\S+)\s*$", text)
        if not end:
            raise Wrong(f"a game has no result with a claim: {text.strip()[-80:]}")
        moves = re.sub(r"\{[^{}]*\}|\d+\.", "", text[: end.start()]).split()
        parts = [re.fullmatch(r"P@([a-z])(\d+)[+#]?", move) for move in moves]
        if None in parts:
            raise Wrong(f"this is not a move: {moves[parts.index(None)]}")
        yield tags, [(ord(part[1]) - ord("a"), int(part[2]) - first_rank) for part in parts], " ".join(end[1].split()), end[2]


def check_games(match, path, said):
    """Checks all games of a match and returns how often X won, O won, and nobody."""
    games = list(read_games(path, match.size)) if os.path.exists(path) else []
    if len(games) != match.games:
        raise Wrong(f"{len(games)} games were saved, not {match.games}")
    results = []
    wins = [0, 0]
    for number, (tags, squares, claim, claimed) in enumerate(games):
        try:
            result, expected = judge(match, squares)
            if tags.get("Variant") != match.variant:
                raise Wrong(f"the variant is {tags.get('Variant')}")
            if not claimed == tags.get("Result") == result:
                raise Wrong(f"the result is {result}, but {claimed} was claimed: {claim}")
            fairy_claims = {"1-0": "White wins", "0-1": "Black wins", "1/2-1/2": "Draw"}
            if claim != expected and not ("fairy" in match and claim == fairy_claims[result]):
                raise Wrong(f'the claim is "{claim}", not "{expected}"')
        except Wrong as error:
            raise Wrong(f"game {number + 1}: {error}") from None
        results.append(result)
        if result != "1/2-1/2":
            # Colours change with every game.
            wins[(number + (result == "0-1")) % 2] += 1
    score = f"final score {wins[0]}-{wins[1]}-{len(games) - sum(wins)}"
    if not said.endswith(score):
        raise Wrong(f"XBoard should have ended with {score}. {said}")
    return results.count("1-0"), results.count("0-1"), results.count("1/2-1/2")


def play(match, engine, folder):
    """Has XBoard play one match; returns the path of the PGN file and what XBoard said."""
    path = os.path.join(folder, "games.pgn")
    if os.path.exists(path):
        os.remove(path)
    fairy = f"fairy-stockfish load {folder}/variants.ini"
    command = ["xboard", "-variant", match.variant, "-matchGames", str(match.games), "-saveGameFile", path]
    for option, player in (("first", match.first), ("second", match.second)):
        program = fairy if player == "fairy" else engine
        command += [f"-{option}ChessProgram", program, f"-{option}Directory", os.getcwd()]
        if player == "random":
            command += [f"-{option}Options", "player=random"]
    # Two seconds for each player and game. XBoard must not judge by the rules of chess: no test of legality, no
    # draw after fifty moves. Nor may it wait for a click at the end, make a noise, or remember anything.
    command += "-timeControl 0:02 -timeIncrement 0 -testLegality false -ruleMoves 0".split()
    command += "-matchPause 100 -popupExitMessage false -soundProgram true -saveSettingsOnExit false".split()
    try:
        done = subprocess.run(
            command, cwd=folder, timeout=match.seconds, errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
    except subprocess.TimeoutExpired:
        raise Wrong(f"not over after {match.seconds} seconds") from None
    said = done.stdout.strip()
    if done.returncode != 0:
        raise Wrong(f"XBoard ended with exit code {done.returncode}. {said}")
    return path, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("engine", nargs="?", help="command line of the engine [noughts]")
    engine = parser.parse_args().engine or noughts_program.find()
    faults = 0
    with tempfile.TemporaryDirectory(prefix="xboard_matches_") as folder:
        with open(os.path.join(folder, "variants.ini"), "w") as file:
            file.write(FAIRY_VARIANT)
        for match in MATCHES:
            title = f"{match.variant}: {match.first} against {match.second}"
            try:
                x, o, draws = check_games(match, *play(match, engine, folder))
                print(f"{title:40} {match.games} games: X won {x}, O won {o}, drawn {draws}", flush=True)
            except Wrong as error:
                faults += 1
                print(f"{title:40} WRONG: {error}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
