#!/usr/bin/env python3
"""Uses an engine from python-chess, as a program would that was written for chess.

    scripts/python_chess.py [ENGINE]

Tic-tac-toe is a board class of a few lines, in which a move drops a pawn on an empty square. The engine is spoken to
over UCI and over XBoard's protocol: options, ping, configure, whole games against moves at random with each colour, a
depth in what it says of its search, and quit; over UCI also root_moves and debug. No line of the engine may be an error.
Needs the package chess from PyPI. The exit code is 0 if everything was as it should be.
"""

import logging
import logging.handlers
import random
import sys

import chess
import chess.engine

SIZE = 3
ROWS = [[chess.square(file, rank) for file in range(SIZE)] for rank in range(SIZE)]
DIAGONALS = [[chess.square(i, i) for i in range(SIZE)], [chess.square(i, SIZE - 1 - i) for i in range(SIZE)]]
LINES = [chess.SquareSet(squares) for squares in [*ROWS, *zip(*ROWS), *DIAGONALS]]


class TicTacToe(chess.Board):
    """X is White, O is Black; only the squares a1 to c3 are used."""

    uci_variant = xboard_variant = "tictactoe"
    aliases = ["Tic-tac-toe"]

    def reset(self):
        self.clear()

    def drops(self):
        """All moves, unless the game is over."""
        if self.winner() is not None:
            return []
        return [chess.Move(s, s, drop=chess.PAWN) for s in sum(ROWS, []) if not self.piece_at(s)]

    def is_legal(self, move):
        return move in self.drops()

    def winner(self):
        """The colour that has completed a line, or None."""
        for colour in chess.COLORS:
            if any(line.issubset(chess.SquareSet(self.occupied_co[colour])) for line in LINES):
                return colour
        return None

    def is_over(self):
        return not self.drops()

    def fen(self, **_):
        """The position as programs for chess variants write it."""
        letters = {None: ".", chess.WHITE: "P", chess.BLACK: "p"}
        board = "/".join("".join(letters[self.color_at(square)] for square in row) for row in reversed(ROWS))
        for run in range(SIZE, 0, -1):
            board = board.replace("." * run, str(run))
        hands = "P" * (5 - board.count("P")) + "p" * (4 - board.count("p"))
        return f"{board}[{hands}] {'w' if self.turn else 'b'} - - 0 1"

    # XBoard's protocol writes moves as UCI does.

    def xboard(self, move, chess960=None):
        return move.uci()

    def parse_xboard(self, text):
        return self.parse_uci(text)

    def push_xboard(self, text):
        return self.push_uci(text)


def play(engine, colour, generator):
    """A game of the engine against moves at random; returns the board at its end."""
    board, game = TicTacToe(), object()
    while not board.is_over():
        if board.turn == colour:
            result = engine.play(board, chess.engine.Limit(time=0.05), game=game, info=chess.engine.INFO_ALL)
            assert board.is_legal(result.move), f"{result.move} in {board.fen()}"
            board.push(result.move)
        else:
            board.push(generator.choice(board.drops()))
    assert board.winner() != (not colour), f"the engine has lost: {board.fen()}"
    return board


def check_options(engine):
    """Every option accepts its default, the ends of its range and each of its words."""
    for option in engine.options.values():
        # In XBoard's protocol python-chess reads only the first word of a name, so it does not know the type of the
        # options Move Overhead and Debug Log File.
        if option.is_managed() or option.type not in ("check", "spin", "combo", "string"):
            continue
        for value in {option.default, option.min, option.max, *(option.var or [])} - {None}:
            # Large tables and many threads are taken when they are needed, so setting them costs nothing.
            engine.configure({option.name: value})
        engine.configure({option.name: option.default})
    engine.ping()


def check_depth(engine):
    """Whatever tells a score tells a depth."""
    for player in ("perfect", "mcts", "montecarlo", "random"):
        engine.configure({"player": player})
        with engine.analysis(TicTacToe(), chess.engine.Limit(nodes=500)) as analysis:
            infos = [dict(info) for info in analysis if "score" in info]
        assert infos and all(info.get("depth", 0) >= 1 for info in infos), (player, infos)


def check_root_moves(engine):
    """The engine plays one of the moves that it may choose from, bad ones too."""
    board = TicTacToe()
    for player in ("perfect", "auto", "mcts", "montecarlo", "random"):
        engine.configure({"player": player})
        for moves in [[move] for move in board.drops()] + [board.drops()[:2], board.drops()[5:]]:
            found = engine.play(board, chess.engine.Limit(nodes=50), root_moves=moves)
            assert found.move in moves, f"{player}: {found.move} is none of {moves}"


def check_debug(engine):
    """Debug changes nothing that a program could stumble over."""
    for on in (True, False):
        engine.protocol.loop.call_soon_threadsafe(engine.protocol.debug, on)
        engine.ping()


def check(engine, protocol, generator):
    """Uses an engine in this protocol. Prints how many options it has, and how its games ended."""
    assert "Noughts" in engine.id["name"], engine.id
    assert engine.options["player"].default == "auto", engine.options
    engine.ping()
    check_options(engine)
    if protocol == "UCI":
        check_depth(engine)
        check_root_moves(engine)
        check_debug(engine)
    engine.configure({"player": "perfect", "seed": 1})
    ends = [play(engine, colour, generator) for colour in chess.COLORS for _ in range(5)]
    won = sum(end.winner() is not None for end in ends)
    solved = TicTacToe()
    solved.push(chess.Move.from_uci("P@b1"))
    info = engine.analyse(solved, chess.engine.Limit(time=0.2))
    assert info["score"].relative == chess.engine.Cp(0) and info["depth"] >= 1, info
    engine.ping()
    print(f"{protocol}: {len(engine.options)} options, {len(ends)} games, {won} won, {len(ends) - won} drawn")


def check_lines(records):
    """No line of the engine was an error. The logger of python-chess has them."""
    lines = [record.getMessage().partition(" >> ")[2] for record in records]
    errors = [line for line in lines if line.startswith(("info string error", "Error", "Illegal"))]
    # The largest Hash that is declared is more than most machines have; then it is refused.
    errors = [line for line in errors if "MiB of memory that this machine has" not in line]
    assert any(lines) and not errors, errors


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    # Imported here, so that a copy of this file has the board class without the other file.
    import noughts_program

    program = sys.argv[1] if len(sys.argv) > 1 else noughts_program.find()
    # Its warnings of lines that it does not know are not printed; XBoard learns of a variant by such lines.
    lines = logging.handlers.BufferingHandler(sys.maxsize)
    logger = logging.getLogger("chess.engine")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(lines)
    generator = random.Random(1)
    engines = {"UCI": chess.engine.SimpleEngine.popen_uci, "XBoard": chess.engine.SimpleEngine.popen_xboard}
    for protocol, start in engines.items():
        with start(program) as engine:
            check(engine, protocol, generator)
        check_lines(lines.buffer)


if __name__ == "__main__":
    main()
