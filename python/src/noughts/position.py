"""Positions: a board, its rules, and the side to move."""

from __future__ import annotations

from functools import cache

from ._noughts import IllegalMoveError, Position, positions
from .move import Move

__all__ = ["IllegalMoveError", "Position", "line_cells", "positions", "read_position"]
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@cache
def line_cells(rows: int, columns: int, length: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each cell, the lines of ``length`` cells through it. A line longer than both sides does not exist."""
    lines: list[list[tuple[int, ...]]] = [[] for _ in range(rows * columns)]
    for row in range(rows):
        for column in range(columns):
            for down, right in _DIRECTIONS:
                end_row, end_column = row + (length - 1) * down, column + (length - 1) * right
                if end_row < rows and 0 <= end_column < columns:
                    line = tuple((row + step * down) * columns + column + step * right for step in range(length))
                    for cell in line if length > 1 else line[:1]:
                        lines[cell].append(line)
    return tuple(tuple(dict.fromkeys(through)) for through in lines)


def read_position(text: str, start: Position) -> tuple[Position, tuple[Move, ...]]:
    """Read a ``position`` line, or what follows that word: the position at its end, and its moves.

    ``start`` is the empty board, and has the rules.
    """
    board, _, moves = text.removeprefix("position ").partition("moves")
    if board.startswith("fen "):
        position = Position.parse(board.removeprefix("fen "), connect=start.connect, reverse=start.reverse)
    else:
        position = start
    played = tuple(Move.parse(move, position.rows) for move in moves.split())
    return position.play(*played), played
