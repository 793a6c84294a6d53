"""Positions: a board, its rules, and the side to move."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from operator import index
from typing import TYPE_CHECKING

from . import drawing
from .move import Move
from .shape import Shaped, shape_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_SIZE = 20
_RUN = re.compile(r"[0-9]+|.", re.DOTALL)
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class IllegalMoveError(ValueError):
    """The move cannot be played in this position."""


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


@dataclass(frozen=True, init=False, repr=False)
class Position(Shaped):
    """A position. It does not change: :meth:`play` returns another one.

    ``size`` is the number of rows and columns of a square, from 1 to 20; ``rows`` and ``columns`` stand in its place
    for other boards. Without them the board is 3x3. ``connect`` stones in a row or more complete a line; 0 means as
    many as the shorter side has squares, and stands for that number too. A line longer than one side runs along the
    other only. If it is longer than both, every game is a draw. With ``reverse``, completing a line loses. ``cells``
    has a character for each square in reading order: ``x``, ``o`` or ``.``. ``side`` moves next: ``x`` or ``o``.

    The stones of both sides differ by at most one, and the side to move never has more.
    """

    rows: int
    columns: int
    connect: int
    reverse: bool
    cells: str
    side: str
    _outcome: str | None = field(init=False, compare=False)

    __match_args__ = ("size", "connect", "reverse", "cells", "side")

    def __init__(
        self,
        size: int | None = None,
        connect: int = 0,
        reverse: bool = False,  # noqa: FBT001, FBT002, it can be passed by its place
        cells: str = "",
        side: str = "",
        *,
        rows: int | None = None,
        columns: int | None = None,
    ) -> None:
        """Check the position and find out whether the game is over."""
        rows, columns = shape_of(size, rows, columns)
        if not (1 <= rows <= MAX_SIZE and 1 <= columns <= MAX_SIZE):
            raise ValueError(f"a board has 1 to {MAX_SIZE} rows and columns, not {rows}x{columns}")
        if not 0 <= connect <= MAX_SIZE**2:
            raise ValueError(f"connect is a number from 0 to {MAX_SIZE**2}, not {connect}")
        squares = rows * columns
        cells = cells or "." * squares
        if len(cells) != squares or cells.strip("xo."):
            raise ValueError(f'expected {squares} cells, each "x", "o" or ".", found {cells!r}')
        x, o = cells.count("x"), cells.count("o")
        if abs(x - o) > 1:
            raise ValueError(f"X has {x} stones and O has {o} stones, the difference may be one at most")
        side = side or ("x" if x <= o else "o")
        if side not in ("x", "o"):
            raise ValueError(f'the side to move is "x" or "o", not {side!r}')
        if (x > o and side == "x") or (o > x and side == "o"):
            raise ValueError(f"{side.upper()} has more stones than its opponent and cannot be to move")
        connect = 0 if connect == min(rows, columns) else connect
        self.__dict__.update(rows=rows, columns=columns, connect=connect, reverse=reverse, cells=cells, side=side)
        completed = {stone for stone in "xo" if self._completed(stone)}
        if len(completed) > 1:
            raise ValueError("both sides have completed a line")
        self.__dict__.update(_outcome=self._judge(completed.pop() if completed else None, cells))

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
        if any(len(row) != len(rows[0]) for row in rows):
            raise ValueError(f"the rows of the board {board!r} have different lengths")
        return cls(None, connect, reverse, "".join(rows), side.strip().lower(), rows=len(rows), columns=len(rows[0]))

    @property
    def line_length(self) -> int:
        """The number of stones in a row that complete a line: ``connect``, or for 0 the length of the shorter side."""
        return self.connect or min(self.shape)

    @property
    def text(self) -> str:
        """The position as the engine reads and writes it, such as ``xo1/1x1/3 o``."""
        rows = (re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in self._rows)
        return "/".join(rows) + f" {self.side}"

    @property
    def _rows(self) -> list[str]:
        """The cells of each row."""
        return [self.cells[start : start + self.columns] for start in range(0, len(self.cells), self.columns)]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves in reading order; none when the game is over."""
        return () if self._outcome else self.empty

    @property
    def empty(self) -> tuple[Move, ...]:
        """The empty squares in reading order."""
        return tuple(Move(*divmod(cell, self.columns)) for cell, stone in enumerate(self.cells) if stone == ".")

    @property
    def outcome(self) -> str | None:
        """The winner: ``x``, ``o``, or ``draw``; ``None`` while the game goes on."""
        return self._outcome

    @property
    def line(self) -> tuple[Move, ...]:
        """The squares of all completed lines, in reading order."""
        cells = self._completed("x") | self._completed("o")
        return tuple(Move(*divmod(cell, self.columns)) for cell in sorted(cells))

    def __getitem__(self, square: tuple[int, int]) -> str:
        """Return what is on the square: ``x``, ``o`` or ``.``."""
        row, column = square
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise IndexError(f"{row},{column} is off the {self.rows}x{self.columns} board")
        return self.cells[row * self.columns + column]

    def move(self, move: tuple[int, int] | str) -> Move:
        """Return the legal move that is meant by ``(row, column)`` or a text such as ``0,2`` or ``c3``."""
        try:
            row, column = Move.parse(move, self.rows) if isinstance(move, str) else move
            read = Move(index(row), index(column))
        except (TypeError, ValueError) as error:
            raise IllegalMoveError(f"expected a move such as (0, 2), found {move!r}") from error
        if not (0 <= read.row < self.rows and 0 <= read.column < self.columns):
            raise IllegalMoveError(f"{read} is off the {self.rows}x{self.columns} board")
        if self._outcome:
            raise IllegalMoveError(f"{read}: the game is over")
        if self.cells[read.row * self.columns + read.column] != ".":
            raise IllegalMoveError(f"{read} is taken")
        return read

    def play(self, *moves: tuple[int, int] | str) -> Position:
        """Return the position after the moves."""
        position = self
        for move in moves:
            position = position._play(position.move(move))
        return position

    def _play(self, move: Move) -> Position:
        cell = move.row * self.columns + move.column
        cells = self.cells[:cell] + self.side + self.cells[cell + 1 :]
        lines = line_cells(self.rows, self.columns, self.line_length)[cell]
        completes = any(all(cells[other] == self.side for other in line) for line in lines)
        # The fields of a new position, without looking at the whole board again.
        after = object.__new__(Position)
        after.__dict__.update(self.__dict__)
        after.__dict__.update(cells=cells, side=_other(self.side))
        after.__dict__.update(_outcome=self._judge(self.side if completes else None, cells))
        return after

    def _completed(self, stone: str) -> set[int]:
        """Return the cells of all lines that a side has completed."""
        length = self.line_length
        if self.cells.count(stone) < length:
            return set()
        lines = {line for through in line_cells(self.rows, self.columns, length) for line in through}
        return {cell for line in lines if all(self.cells[other] == stone for other in line) for cell in line}

    def symmetries(self) -> tuple[Position, ...]:
        """Return the images of the position under turns and mirrors, itself first; some may be equal.

        A square has eight, another board the four that keep its rows and columns.
        """
        turned = self._rows
        images = []
        for _ in range(4):
            if (len(turned), len(turned[0])) == self.shape:
                images += ["".join(turned), "".join(row[::-1] for row in turned)]
            turned = ["".join(column) for column in zip(*turned[::-1], strict=True)]
        return tuple(replace(self, cells=cells) for cells in images)

    def canonical(self) -> Position:
        """Return the image whose ``cells`` come first in the alphabet: the same for all images."""
        return min(self.symmetries(), key=lambda image: image.cells)

    def __str__(self) -> str:
        """Draw the board with a character for each square."""
        return "\n".join(" ".join(row) for row in self._rows)

    def __repr__(self) -> str:
        """Return the call that makes the position."""
        shape = f"size={self.rows}" if self.rows == self.columns else f"rows={self.rows}, columns={self.columns}"
        rest = f"connect={self.connect}, reverse={self.reverse}, cells={self.cells!r}, side={self.side!r}"
        return f"Position({shape}, {rest})"

    def svg(self, values: Mapping[Move, drawing.Valued] | None = None, last: tuple[int, int] | None = None) -> str:
        """Draw the board as SVG.

        ``values`` gives what is known of the empty squares, such as :attr:`noughts.Analysis.moves`. ``last`` is the
        last move, which is marked.
        """
        return drawing.board(self, values or {}, last)

    def _repr_html_(self) -> str:
        return self.svg()


def positions(
    size: int | None = None,
    connect: int = 0,
    *,
    reverse: bool = False,
    rows: int | None = None,
    columns: int | None = None,
) -> Iterable[Position]:
    """Yield every position that games can reach from the empty board, each once, those of fewer stones first.

    The arguments are those of :class:`Position`.
    """
    start = Position(size, connect, reverse, rows=rows, columns=columns)
    level = {start.cells: start}
    while level:
        yield from level.values()
        below: dict[str, Position] = {}
        for position in level.values():
            for move in position.moves:
                after = position.play(move)
                below.setdefault(after.cells, after)
        level = below


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


def _other(side: str) -> str:
    return "o" if side == "x" else "x"
