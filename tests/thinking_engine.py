"""An engine that says what it thinks and never comes to an end, for the tests of the board."""

import sys

for line in sys.stdin:
    command = line.split()[0] if line.split() else ""
    if command in ("ugi", "uci"):
        print("id name Thinker")
        print("option name size type spin default 3 min 1 max 20")
        print(command + "ok")
    elif command == "isready":
        print("readyok")
    elif command == "go":
        print("info depth 1 value -0.5 pv 2,2")
        print("info depth 2 value 0.25 pv 0,0 2,2")
        # None of these is the value of the best move.
        print("info depth 3 currmove 0,1 currmovenumber 2")
        print("info multipv 2 value -0.75 pv 0,1")
        print("info string value 9 pv 9,9")
    elif command == "quit":
        break
    sys.stdout.flush()
