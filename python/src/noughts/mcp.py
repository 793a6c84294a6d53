"""``python -m noughts.mcp`` is a server of the Model Context Protocol over standard input and output.

It needs the package ``mcp``: ``pip install 'noughts[mcp]'``. Every tool answers with text, within a bounded time.
"""

from __future__ import annotations

import functools
import json
import subprocess
import threading
from typing import TYPE_CHECKING, Annotated

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from pydantic import Field
except ImportError as error:
    raise ImportError("noughts.mcp needs version 2 of the package mcp: pip install 'noughts[mcp]'") from error

from ._noughts import Analysis, Engine, EngineError, Limit, Line, Position
from .binary import find
from .text import describe

if TYPE_CHECKING:
    from collections.abc import Callable

_GAME = """Exact answers about tic-tac-toe: boards of 1 to 20 rows and columns, any number in a row, and the reverse
rule under which a line loses. X moves first. Squares are row,column, counted from 0 at the top left. Only what is
called proven is certain."""
_POSITION = """The rows of the board from the top, separated by "/": x, o, and "." for an empty square; then a blank and
the side to move, x or o. An empty 3x3 board is ".../.../... x"."""
_CONNECT = "How many in a row make a line. 0: as many as the shorter side of the board has squares."
_REVERSE = "True if the player who completes a line loses, false if that player wins."

PositionText = Annotated[str, Field(description=_POSITION)]
Connect = Annotated[int, Field(description=_CONNECT)]
Reverse = Annotated[bool, Field(description=_REVERSE)]
Seconds = Annotated[float, Field(description="The time for the proof, 0.1 to 60 s.")]

server = MCPServer("noughts", instructions=_GAME, log_level="WARNING")
_least_seconds, _most_seconds = 0.1, 60
_one_search = threading.Lock()


def tool(function: Callable[..., str]) -> Callable[..., str]:
    """Make a tool that answers one question at a time, and says what is wrong in a sentence."""

    @functools.wraps(function)
    def answer(**arguments: object) -> str:
        try:
            with _one_search:
                return function(**arguments)
        except (EngineError, OSError, ValueError, subprocess.TimeoutExpired) as error:
            raise ToolError(str(error)) from error

    server.tool(structured_output=False)(answer)
    return answer


@tool
def analyse(position: PositionText, *, connect: Connect = 0, reverse: Reverse = False) -> str:
    """Say who wins a tic-tac-toe position with perfect play, and list the moves with their values, the best ones first.

    The search has at most 20,000 positions and 10 s. W3 is a win in 3 plies for the side to move, D a draw, L4 a loss
    in 4 plies. A number from -1 to 1 is an estimate: that move is not proven.
    """
    board = _read(position, connect, reverse=reverse)
    with Engine(player="perfect", tiebreak="first", seed=1) as engine:
        found = engine.analyse(board, Limit(nodes=20_000, movetime=10_000), multipv=len(board.moves))
    best = ", ".join(str(line.move) for line in found.lines if _rank(line) == _rank(found.best))
    return f"{_shown(board)}\n\n{_verdict(found, board)}\nbest moves: {best}\n\n{found}"


@tool
def explain(position: PositionText, move: str = "", *, connect: Connect = 0, reverse: Reverse = False) -> str:
    """Explain in words why a tic-tac-toe position is won, drawn or lost, or why one move in it is right or wrong.

    With a move such as "1,2", the answer has its refutation, or the better move. Without one it is about the position.
    """
    board = _read(position, connect, reverse=reverse)
    return _program("explain", board, board.text, *([str(board.move(move))] if move else []))


@tool
def play(position: PositionText, level: int = 10, *, connect: Connect = 0, reverse: Reverse = False) -> str:
    """Choose a move for the side to move, after at most a second, and return it with the position after it.

    The level is 1 to 10. 10 plays as well as it can, and lower ones make plausible mistakes. Which of several equal
    moves is played is left to chance.
    """
    board = _read(position, connect, reverse=reverse)
    with Engine(level=level) as engine:
        move = engine.play(board, Limit(movetime=1000))
    after = board.play(move)
    return f"{board.side.upper()} plays {move}.\n\n{_shown(after)}\nposition: {after.text}"


@tool
def prove(position: PositionText, *, connect: Connect = 0, reverse: Reverse = False, seconds: Seconds = 10) -> str:
    """Prove whether the side to move wins, draws or loses, or say that no proof was found within the seconds.

    Only the value and one line of perfect play are sought, so this proves more positions than analyse.
    """
    board = _read(position, connect, reverse=reverse)
    if not _least_seconds <= seconds <= _most_seconds:
        raise ValueError(f"seconds is a number from {_least_seconds} to {_most_seconds}, not {seconds:g}")
    with Engine(player="perfect", tiebreak="first", seed=1) as engine:
        found = engine.analyse(board, Limit(movetime=int(seconds * 1000)))
    said = [_shown(board), "", _verdict(found, board), *found.notes, f"line: {' '.join(map(str, found.pv))}"]
    return "\n".join(said if found.proven else [*said, f"No proof was found within {seconds:g} s."])


@tool
def known_value(rows: int, columns: int, *, connect: Connect = 0, reverse: Reverse = False) -> str:
    """Look up what is known of an empty board up to 20x20: who wins with perfect play, and what proves it."""
    board = Position(rows=rows, columns=columns, connect=connect, reverse=reverse)
    said = f"{rows} rows, {columns} columns, {_rules(board)}"
    if board.line_length > max(rows, columns):
        return f"{said}\nvalue: draw\nrests on: no line fits on the board"
    known = json.loads(_program("map", board, "--json"))[reverse]
    proof = known["certificate"] or known["command"] or "none"
    return f"{said}\nvalue: {known['value']}\nrests on: {known['basis']}\ncertificate: {proof}"


def _read(text: str, connect: int, *, reverse: bool) -> Position:
    board = Position.parse(text, connect=connect, reverse=reverse)
    if board.outcome:
        raise ValueError(f"there is no move in {board.text}: {_state(board)}")
    return board


def _state(board: Position) -> str:
    if board.outcome is None:
        return f"{board.side.upper()} is to move"
    return "the game is a draw" if board.outcome == "draw" else f"{board.outcome.upper()} has won"


def _rules(board: Position) -> str:
    return f"{board.line_length} in a row {'loses' if board.reverse else 'wins'}"


def _shown(board: Position) -> str:
    return f"{describe(board)}\n\n{_rules(board)}; {_state(board)}"


def _verdict(found: Analysis, board: Position) -> str:
    side, other = ("X", "O") if board.side == "x" else ("O", "X")
    if not found.proven:
        return f"value: not proven; the estimate for {side} is {found.value:+.2f}, from -1 (a loss) to 1 (a win)"
    if found.value == 0:
        return "value: a draw, proven"
    exact, most = found.best.plies, found.best.plies_at_most
    plies = f" in {exact} plies" if exact is not None else f" in at most {most} plies" if most is not None else ""
    return f"value: {side if found.value > 0 else other} wins{plies}, proven"


def _rank(line: Line) -> tuple[object, ...]:
    """Return what equally good moves have in common. A move that is not proven is equal to no other."""
    return (line.value, line.plies, line.plies_at_most) if line.proven else (line.move,)


def _program(command: str, board: Position, *arguments: str) -> str:
    game = ["--size", f"{board.rows}x{board.columns}", "--connect", str(board.line_length)]
    asked = [find(), command, *arguments, *game, *["--reverse"][: board.reverse and command == "explain"]]
    # The input of this process is the protocol's.
    done = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    if done.returncode != 0:
        raise ValueError(done.stderr.strip())
    return done.stdout


if __name__ == "__main__":
    server.run()
