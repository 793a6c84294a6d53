#!/usr/bin/env python3
"""Has XBoard play matches with an engine, and checks what XBoard has saved with a referee of its own.

    scripts/xboard_matches.py target/release/noughts

The engine plays itself on several boards under both rules, and Fairy-Stockfish on 3x3. In some of the matches one
side gets the engine option `player random`, so that lines are completed. XBoard, Xvfb and Fairy-Stockfish must be
installed (Debian: xboard xvfb fairy-stockfish). One line is printed for each match; the exit code is 0 if every
game was legal, complete, and claimed right, 1 if not, and 2 if a program is missing.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import namedtuple

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

# A game as it stands in a PGN file: its tags, its squares as (file, rank) from 0, and the text of the claim.
Game = namedtuple("Game", "tags squares claim result")


class Wrong(Exception):
    """Something that must not happen in a match."""


def lines_of(size):
    """All lines of a board where a line is as long as the board."""
    steps = range(size)
    rows = [[(file, rank) for file in steps] for rank in steps]
    files = [[(file, rank) for rank in steps] for file in steps]
    return rows + files + [[(i, i) for i in steps], [(i, size - 1 - i) for i in steps]]


def referee(match, squares):
    """Replays a game and returns its result and how it must be claimed; raises Wrong if it is not legal."""
    stones = {}
    lines = lines_of(match.size)
    end = None
    for number, square in enumerate(squares, 1):
        if end:
            raise Wrong(f"move {number} comes after the end of the game")
        if square in stones or not all(0 <= place < match.size for place in square):
            raise Wrong(f"move {number} is taken or off the board: {square}")
        player = "XO"[(number - 1) % 2]
        stones[square] = player
        if any(square in line and all(stones.get(cell) == player for cell in line) for line in lines):
            end = "1-0" if (player == "X") != match.reverse else "0-1", f"{player} completed a line"
        elif len(stones) == match.size**2:
            end = "1/2-1/2", "the board is full"
    if not end:
        raise Wrong(f"the game is not over after {len(squares)} moves")
    return end


def read_games(path, size):
    """Reads the games of a PGN file as XBoard writes them."""
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
        squares = []
        for move in moves:
            parts = re.fullmatch(r"P@([a-z])(\d+)[+#]?", move)
            if not parts:
                raise Wrong(f"this is not a move: {move}")
            squares.append((ord(parts[1]) - ord("a"), int(parts[2]) - first_rank))
        yield Game(tags, squares, " ".join(end[1].split()), end[2])


def check_games(match, path, said):
    """Checks all games of a match and returns how often X won, O won, and nobody."""
    games = list(read_games(path, match.size)) if os.path.exists(path) else []
    if len(games) != match.games:
        raise Wrong(f"{len(games)} games were saved, not {match.games}")
    results = []
    score = {"first": 0, "second": 0, "draws": 0}
    for number, game in enumerate(games, 1):
        try:
            result, claim = referee(match, game.squares)
            if game.tags.get("Variant") != match.variant:
                raise Wrong(f"the variant is {game.tags.get('Variant')}")
            if not game.result == game.tags.get("Result") == result:
                raise Wrong(f"the result is {result}, but {game.result} was claimed: {game.claim}")
            fairy_claims = {"1-0": "White wins", "0-1": "Black wins", "1/2-1/2": "Draw"}
            if game.claim != claim and not ("fairy" in match and game.claim == fairy_claims[result]):
                raise Wrong(f'the claim is "{game.claim}", not "{claim}"')
        except Wrong as error:
            raise Wrong(f"game {number}: {error}") from None
        results.append(result)
        winner = {"1-0": number % 2 == 1, "0-1": number % 2 == 0}.get(result)
        score["draws" if winner is None else "first" if winner else "second"] += 1
    expected = f"final score {score['first']}-{score['second']}-{score['draws']}"
    if not said.endswith(expected):
        raise Wrong(f"XBoard should have ended with {expected}. {said}")
    return results.count("1-0"), results.count("0-1"), results.count("1/2-1/2")


def stop(process):
    """Ends a process that this script has started, and what that has started in turn."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def start_display(folder):
    """Starts an X server without a screen and returns its process and the name of its display."""
    reading, writing = os.pipe()
    with open(os.path.join(folder, "xvfb.log"), "w") as log:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
            pass_fds=[writing], stdout=log, stderr=log, start_new_session=True,
        )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        number = pipe.readline().strip()
    if not number:
        stop(server)
        raise Wrong("Xvfb did not start")
    return server, ":" + number


def play(match, engine, folder, display):
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
    log = os.path.join(folder, "xboard.log")
    with open(log, "w") as file:
        xboard = subprocess.Popen(
            command, cwd=folder, env={**os.environ, "DISPLAY": display}, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=file, stderr=file,
        )
    try:
        code = xboard.wait(timeout=match.seconds)
    except subprocess.TimeoutExpired:
        code = None
    finally:
        stop(xboard)
    with open(log, encoding="utf-8", errors="replace") as file:
        said = file.read().strip()
    if code is None:
        raise Wrong(f"not over after {match.seconds} seconds. {said}")
    if code != 0:
        raise Wrong(f"XBoard ended with exit code {code}. {said}")
    return path, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("engine", help="command line of the engine")
    engine = parser.parse_args().engine
    missing = [name for name in ("xboard", "Xvfb", "fairy-stockfish", engine.split()[0]) if not shutil.which(name)]
    if missing:
        print("not found: " + ", ".join(missing), file=sys.stderr)
        return 2
    faults = 0
    with tempfile.TemporaryDirectory(prefix="xboard_matches_") as folder:
        with open(os.path.join(folder, "variants.ini"), "w") as file:
            file.write(FAIRY_VARIANT)
        server, display = start_display(folder)
        try:
            for match in MATCHES:
                title = f"{match.variant}: {match.first} against {match.second}"
                try:
                    path, said = play(match, engine, folder, display)
                    x, o, draws = check_games(match, path, said)
                    print(f"{title:40} {match.games} games: X won {x}, O won {o}, drawn {draws}", flush=True)
                except Wrong as error:
                    faults += 1
                    print(f"{title:40} WRONG: {error}", flush=True)
        finally:
            stop(server)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
