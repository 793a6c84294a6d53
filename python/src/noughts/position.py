"""Positions: a board, its rules, and the side to move."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from operator import index
from typing import TYPE_CHECKING, Any

from . import drawing
from .move import Move

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_SIZE = 20
_RUN = re.compile(r"[0-9]+|.", re.DOTALL)
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class IllegalMoveError(ValueError):
    """The move cannot be played in this position."""


@cache
def line_cells(size: int, length: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each cell, the lines of ``length`` cells through it."""
    lines: list[list[tuple[int, ...]]] = [[] for _ in range(size * size)]
    for row in range(size):
        for column in range(size):
            for down, right in _DIRECTIONS:
                end_row, end_column = row + (length - 1) * down, column + (length - 1) * right
                if end_row < size and 0 <= end_column < size:
                    line = tuple((row + step * down) * size + column + step * right for step in range(length))
                    for cell in line if length > 1 else line[:1]:
                        lines[cell].append(line)
    return tuple(tuple(dict.fromkeys(through)) for through in lines)


@dataclass(frozen=True)
class Position:
    """A position. It does not change: :meth:`play` returns another one.

    ``size`` is the number of rows and columns, from 1 to 20. ``connect`` stones in a row or more complete a line; 0
    means as many as the board has rows, and stands for that number too. With more than that every game is a draw. With
    ``reverse``, completing a line loses. ``cells`` has a character for each square in reading order: ``x``, ``o`` or
    ``.``. ``side`` moves next: ``x`` or ``o``.

    The stones of both sides differ by at most one, and the side to move never has more.
    """

    size: int = 3
    connect: int = 0
    reverse: bool = False
    cells: str = ""
    side: str = ""
    _outcome: str | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the position and find out whether the game is over."""
        if not 1 <= self.size <= MAX_SIZE:
            raise ValueError(f"a board has 1 to {MAX_SIZE} rows, not {self.size}")
        if not 0 <= self.connect <= MAX_SIZE**2:
            raise ValueError(f"connect is a number from 0 to {MAX_SIZE**2}, not {self.connect}")
        squares = self.size**2
        cells = self.cells or "." * squares
        if len(cells) != squares or cells.strip("xo."):
            raise ValueError(f'expected {squares} cells, each "x", "o" or ".", found {self.cells!r}')
        x, o = cells.count("x"), cells.count("o")
        if abs(x - o) > 1:
            raise ValueError(f"X has {x} stones and O has {o} stones, the difference may be one at most")
        side = self.side or ("x" if x <= o else "o")
        if side not in ("x", "o"):
            raise ValueError(f'the side to move is "x" or "o", not {self.side!r}')
        if (x > o and side == "x") or (o > x and side == "o"):
            raise ValueError(f"{side.upper()} has more stones than its opponent and cannot be to move")
        completed = {stone for stone in "xo" if _lines(cells, self.size, self.line_length, stone)}
        if len(completed) > 1:
            raise ValueError("both sides have completed a line")
        object.__setattr__(self, "connect", 0 if self.connect == self.size else self.connect)
        object.__setattr__(self, "cells", cells)
        object.__setattr__(self, "side", side)
        object.__setattr__(self, "_outcome", self._judge(completed.pop() if completed else None, cells))

    def _judge(self, completer: str | None, cells: str) -> str | None:
        if completer:
            return _other(completer) if self.reverse else completer
        return None if "." in cells else "draw"

    @classmethod
    def parse(cls, text: str, *, connect: int = 0, reverse: bool = False) -> Position:
        """Read a position as the engine writes it: ``xo1/1x1/3 o``, rows from the top, numbers for empty squares.

        Without the side behind it, the side with fewer stones moves, X if both have the same number.
        """
        board, _, side = text.strip().partition(" ")
        rows = []
        for row in board.split("/"):
            parts = _RUN.findall(row.lower())
            if not parts or any(not (part.isdigit() or part in "xo.") for part in parts):
                raise ValueError(f"expected rows of x, o, . and numbers of empty squares, found {row!r}")
            if any(part.isdigit() and not 1 <= int(part) <= MAX_SIZE for part in parts):
                raise ValueError(f"a row has 1 to {MAX_SIZE} squares: {row!r}")
            rows.append("".join("." * int(part) if part.isdigit() else part for part in parts))
        if any(len(row) != len(rows) for row in rows):
            raise ValueError(f"the board {board!r} is not square")
        return cls(len(rows), connect, reverse, "".join(rows), side.strip().lower())

    @property
    def line_length(self) -> int:
        """The number of stones in a row that complete a line: ``connect``, or the number of rows for 0."""
        return self.connect or self.size

    @property
    def text(self) -> str:
        """The position as the engine reads and writes it, such as ``xo1/1x1/3 o``."""
        rows = (self.cells[start : start + self.size] for start in range(0, self.size**2, self.size))
        return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows) + f" {self.side}"

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves in reading order; none when the game is over."""
        return () if self._outcome else self.empty

    @property
    def empty(self) -> tuple[Move, ...]:
        """The empty squares in reading order."""
        return tuple(Move(*divmod(cell, self.size)) for cell, stone in enumerate(self.cells) if stone == ".")

    @property
    def outcome(self) -> str | None:
        """The winner: ``x``, ``o``, or ``draw``; ``None`` while the game goes on."""
        return self._outcome

    @property
    def line(self) -> tuple[Move, ...]:
        """The squares of all completed lines, in reading order."""
        cells = {cell for stone in "xo" for cell in _lines(self.cells, self.size, self.line_length, stone)}
        return tuple(Move(*divmod(cell, self.size)) for cell in sorted(cells))

    def __getitem__(self, square: tuple[int, int]) -> str:
        """Return what is on the square: ``x``, ``o`` or ``.``."""
        row, column = square
        if not (0 <= row < self.size and 0 <= column < self.size):
            raise IndexError(f"{row},{column} is off the {self.size}x{self.size} board")
        return self.cells[row * self.size + column]

    def move(self, move: tuple[int, int] | str) -> Move:
        """Return the legal move that is meant by ``(row, column)`` or a text such as ``0,2`` or ``c3``."""
        try:
            row, column = Move.parse(move, self.size) if isinstance(move, str) else move
            read = Move(index(row), index(column))
        except (TypeError, ValueError) as error:
            raise IllegalMoveError(f"expected a move such as (0, 2), found {move!r}") from error
        if not (0 <= read.row < self.size and 0 <= read.column < self.size):
            raise IllegalMoveError(f"{read} is off the {self.size}x{self.size} board")
        if self._outcome:
            raise IllegalMoveError(f"{read}: the game is over")
        if self.cells[read.row * self.size + read.column] != ".":
            raise IllegalMoveError(f"{read} is taken")
        return read

    def play(self, *moves: tuple[int, int] | str) -> Position:
        """Return the position after the moves."""
        position = self
        for move in moves:
            position = position._play(position.move(move))
        return position

    def _play(self, move: Move) -> Position:
        cell = move.row * self.size + move.column
        cells = self.cells[:cell] + self.side + self.cells[cell + 1 :]
        length = self.line_length
        lines = line_cells(self.size, length)[cell] if length <= self.size else ()
        completes = any(all(cells[other] == self.side for other in line) for line in lines)
        # The fields of a new position, without looking at the whole board again.
        after = object.__new__(Position)
        after.__dict__.update(size=self.size, connect=self.connect, reverse=self.reverse, cells=cells)
        after.__dict__.update(side=_other(self.side), _outcome=self._judge(self.side if completes else None, cells))
        return after

    def symmetries(self) -> tuple[Position, ...]:
        """Return the eight images of the position under turns and mirrors, itself first; some may be equal."""
        size = self.size
        turned = [[row * size + column for column in range(size)] for row in range(size)]
        images = []
        for _ in range(4):
            for grid in (turned, [row[::-1] for row in turned]):
                cells = "".join(self.cells[cell] for row in grid for cell in row)
                images.append(Position(size, self.connect, self.reverse, cells, self.side))
            turned = [list(column) for column in zip(*turned[::-1], strict=True)]
        return tuple(images)

    def canonical(self) -> Position:
        """Return the image whose ``cells`` come first in the alphabet: the same for all images."""
        return min(self.symmetries(), key=lambda image: image.cells)

    def __str__(self) -> str:
        """Draw the board with a character for each square."""
        return "\n".join(" ".join(self.cells[start : start + self.size]) for start in range(0, self.size**2, self.size))

    def svg(self, values: Mapping[Move, drawing.Valued] | None = None, last: tuple[int, int] | None = None) -> str:
        """Draw the board as SVG.

        ``values`` gives what is known of the empty squares, such as :attr:`noughts.Analysis.moves`. ``last`` is the
        last move, which is marked.
        """
        return drawing.board(self, values or {}, last)

    def _repr_html_(self) -> str:
        return self.svg()


def positions(size: int = 3, connect: int = 0, *, reverse: bool = False) -> Iterable[Position]:
    """Yield every position that games can reach from the empty board, each once, those of fewer stones first."""
    level = {Position(size, connect, reverse).cells: Position(size, connect, reverse)}
    while level:
        yield from level.values()
        below: dict[str, Position] = {}
        for position in level.values():
            for move in position.moves:
                after = position.play(move)
                below.setdefault(after.cells, after)
        level = below


def read_position(text: str, rules: Mapping[str, Any]) -> tuple[Position, tuple[Move, ...]]:
    """Read a ``position`` line, or what follows that word: the position at its end, and its moves.

    ``rules`` has ``size``, ``connect`` and ``reverse``.
    """
    start, _, moves = text.removeprefix("position ").partition("moves")
    if start.startswith("fen "):
        position = Position.parse(start.removeprefix("fen "), connect=rules["connect"], reverse=rules["reverse"])
    else:
        position = Position(rules["size"], rules["connect"], rules["reverse"])
    played = tuple(Move.parse(move, position.size) for move in moves.split())
    return position.play(*played), played


def _other(side: str) -> str:
    return "o" if side == "x" else "x"


def _lines(cells: str, size: int, length: int, stone: str) -> set[int]:
    """Return the cells of all lines that a side has completed."""
    if length > size or cells.count(stone) < length:
        return set()
    lines = {line for through in line_cells(size, length) for line in through}
    return {cell for line in lines if all(cells[other] == stone for other in line) for cell in line}
