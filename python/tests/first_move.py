"""An engine that plays the first empty square."""

import sys

position = ""
for line in sys.stdin:
    word = line.split()[0]
    if word == "ugi":
        print("id name first\noption name size type spin default 3 min 1 max 20")
        print(
            "option name connect type spin default 0 min 0 max 400\noption name reverse type check default false\nugiok"
        )
    elif word == "isready":
        print("readyok")
    elif word == "position":
        position = line
    elif word == "go":
        from noughts import Move, Position

        start, _, moves = position.partition("moves")
        board = Position() if "startpos" in start else Position.parse(start.split("fen")[1])
        for move in moves.split():
            board = board.play(Move.parse(move))
        print(f"bestmove {board.empty[0]}")
    elif word == "quit":
        break
    sys.stdout.flush()
