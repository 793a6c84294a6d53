"""Boards as SVG, in the pictures of the page of ``noughts serve``: each kind of value has a colour and a shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .move import Move

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._noughts import Position


class Valued(Protocol):
    """The known value of a move: a line of an analysis."""

    @property
    def value(self) -> float:
        """The expected result for the side to move, from -1 to 1."""

    @property
    def proven(self) -> bool:
        """True if the value is proven."""

    @property
    def plies(self) -> int | None:
        """Plies to the end."""

    @property
    def plies_at_most(self) -> int | None:
        """The most plies to the end."""

    @property
    def total(self) -> float | None:
        """The Monte Carlo score of the square."""


_SQUARE = 60
_EDGE = 18
_WIDEST = 480
_INK = {"x": "#2752b3", "o": "#a8481a", "win": "#0c6b5c", "loss": "#8a2f60", "draw": "#545b69", "open": "#5b6270"}
_STONES = {"x": "M15 15 45 45M45 15 15 45", "o": "M30 13a17 17 0 1 0 .01 0z"}
_SHAPES = {"win": "M30 15 39 30H21Z", "loss": "M21 15H39L30 30Z", "draw": "M23 16h14v14h-14z", "open": ""}
_THOUSAND = 1000


def label(line: Valued) -> str:
    """Return a value in a few characters: ``W3``, ``D``, ``L4``, ``W≤9``; else the score or the estimate."""
    if line.proven:
        if line.value == 0:
            return "D"
        return ("W" if line.value > 0 else "L") + (f"≤{line.plies_at_most}" if line.plies is None else str(line.plies))
    if line.total is None:
        return f"{line.value:+.2f}"
    return f"{line.total:.0f}" if abs(line.total) < _THOUSAND else f"{line.total:.1e}".replace("e+0", "e")


def _kind(line: Valued) -> str:
    value = line.value if line.proven or line.total is None else line.total
    return "win" if value > 0 else "loss" if value < 0 else "draw"


def _strength(values: Mapping[Move, Valued]) -> dict[Move, float]:
    """Return how much of its colour each square gets: all of it if its value is proven."""
    totals = {move: abs(line.total or line.value) for move, line in values.items() if not line.proven}
    most = max(totals.values(), default=0) or 1
    return {move: totals[move] / most if move in totals else 1 for move in values}


def board(position: Position, values: Mapping[Move, Valued], last: tuple[int, int] | None) -> str:
    """Draw a position. ``values`` are those of moves, the best first; ``last`` is the last move."""
    rows, columns = position.shape
    strength = _strength(values)
    first = next(iter(values.values()), None)
    completed = set(position.line)
    parts = []
    for square in (Move(row, column) for row in range(rows) for column in range(columns)):
        stone = position[square]
        inside = _whole("#f3ecd4" if square == last else "#fffdf9", ' stroke="#ddd8cc"')
        if stone != ".":
            inside += _path(
                _STONES[stone], f'fill="none" stroke="{_INK[stone]}" stroke-width="6" stroke-linecap="round"'
            )
            inside += _frame(_INK[stone]) if square in completed else ""
        elif line := values.get(square):
            kind = _kind(line)
            tint = 0.07 + (0.06 if kind == "draw" else 0.2) * strength[square]
            inside += _whole(_INK[kind], f' opacity="{tint:.2f}"')
            if line is first or (first and line.proven and first.proven and label(line) == label(first)):
                inside += _frame(_INK[kind], "" if line.proven else ' stroke-dasharray="4 3"')
            inside += _path(_SHAPES[kind], f'fill="{_INK[kind]}"')
            inside += f'<text x="30" y="47" fill="{_INK[kind]}" font-size="14" font-weight="700">{label(line)}</text>'
        x, y = _EDGE + square.column * _SQUARE, _EDGE + square.row * _SQUARE
        parts.append(f'<g transform="translate({x} {y})">{inside}</g>')
    for number in range(max(rows, columns)):
        middle = _EDGE + (number + 0.5) * _SQUARE
        parts.append(f'<text x="{middle}" y="13">{number}</text>' if number < columns else "")
        parts.append(f'<text x="9" y="{middle + 4}">{number}</text>' if number < rows else "")
    width, height = (side * _SQUARE + _EDGE + 2 for side in (columns, rows))
    scale = min(1, _WIDEST / max(width, height))
    shown = f'width="{round(width * scale)}" height="{round(height * scale)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {shown} '
        f'role="img" aria-label="{_words(position)}" font-family="system-ui, sans-serif" font-size="11" fill="#5b6270" '
        f'text-anchor="middle"><rect width="{width}" height="{height}" rx="8" fill="#f6f4ef"/>{"".join(parts)}</svg>'
    )


def _whole(fill: str, more: str) -> str:
    return f'<rect width="{_SQUARE}" height="{_SQUARE}" fill="{fill}"{more}/>'


def _frame(ink: str, more: str = "") -> str:
    return f'<rect x="3" y="3" width="54" height="54" rx="10" fill="none" stroke="{ink}" stroke-width="2.5"{more}/>'


def _path(path: str, more: str) -> str:
    return f'<path d="{path}" {more}/>'


def _words(position: Position) -> str:
    """Say who is to move, or the result."""
    said = {"x": "X wins", "o": "O wins", "draw": "a draw", None: f"{position.side.upper()} to move"}[position.outcome]
    return f"{position.text}, {said}"
