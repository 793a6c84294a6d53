#!/usr/bin/env python3
"""Takes a picture of XBoard with a game that has just been won.

    scripts/xboard_screenshot.py target/release/noughts xboard.png

The engine plays X against itself with the option `player random`, as often as it takes to win. The stones are
drawn with the pictures in the folder xboard-pieces beside this script. Needs xboard, Xvfb, xdotool and ImageMagick
(Debian: xboard xvfb xdotool imagemagick).
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

from xboard_matches import Wrong, start_display, stop

PIECES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "xboard-pieces")


def wait_for(what, seconds):
    """Calls a function until it returns something, and returns that; nothing after so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.1)
    return None


def saved_result(path):
    """The result of the game in a PGN file, or nothing while there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = re.search(r'^\[Result "(1-0|0-1|1/2-1/2)"\]', file.read(), re.MULTILINE)
            return found and found[1]
    except FileNotFoundError:
        return None


def take_picture(display, picture):
    """Saves a picture of XBoard's window."""
    environment = {**os.environ, "DISPLAY": display}

    def run(*command):
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        return done.stdout.split()

    window = wait_for(lambda: run("xdotool", "search", "--onlyvisible", "--name", " vs[.] "), 10)
    if not window:
        raise Wrong("XBoard shows no window")
    # A change of size makes XBoard draw everything anew, without the hint that it shows at the start.
    run("xdotool", "mousemove", "1200", "900")
    wide, high = (int(line.split("=")[1]) for line in run("xdotool", "getwindowgeometry", "--shell", window[0])[3:5])
    for more in (8, 0):
        run("xdotool", "windowsize", window[0], str(wide + more), str(high + more))
        time.sleep(0.7)
    run("import", "-window", window[0], picture)
    if not os.path.exists(picture):
        raise Wrong("the picture could not be saved")


def show_game(engine, variant, square, folder, display, picture):
    """Has one game played; if X has won it, takes the picture and returns True."""
    path = os.path.join(folder, "game.pgn")
    if os.path.exists(path):
        os.remove(path)
    command = ["xboard", "-variant", variant, "-mode", "TwoMachines", "-saveGameFile", path]
    for option in ("first", "second"):
        command += [f"-{option}ChessProgram", engine, f"-{option}Directory", os.getcwd()]
    command += ["-secondOptions", "player=random", "-size", str(square), "-pieceImageDirectory", PIECES]
    command += "-trueColors true -useBoardTexture false -lightSquareColor #fbf6ea -darkSquareColor #f1e7d0".split()
    command += ["-clockFont", "Sans Bold 14"]
    command += "-showCoords true -engineOutputUp false -moveHistoryUp false -timeControl 5 -timeIncrement 0".split()
    command += "-testLegality false -ruleMoves 0 -soundProgram true -saveSettingsOnExit false".split()
    xboard = subprocess.Popen(
        command, cwd=folder, env={**os.environ, "DISPLAY": display}, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        result = wait_for(lambda: saved_result(path), 60)
        if not result:
            raise Wrong("the game did not end within a minute")
        if result != "1-0":
            return False
        time.sleep(0.5)  # until XBoard has drawn the last stone
        take_picture(display, picture)
        return True
    finally:
        stop(xboard)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("engine", help="command line of the engine")
    parser.add_argument("picture", help="PNG file to write")
    parser.add_argument("--variant", default="noughts5")
    parser.add_argument("--square", type=int, default=64, help="width of a square in pixels")
    options = parser.parse_args()
    picture = os.path.abspath(options.picture)
    with tempfile.TemporaryDirectory(prefix="xboard_screenshot_") as folder:
        server, display = start_display(folder)
        try:
            for _ in range(30):
                if show_game(options.engine, options.variant, options.square, folder, display, picture):
                    return 0
            print("X has not won any of 30 games", file=sys.stderr)
        except Wrong as error:
            print(error, file=sys.stderr)
        finally:
            stop(server)
    return 1


if __name__ == "__main__":
    sys.exit(main())
