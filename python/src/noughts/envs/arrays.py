"""Positions and the values of their moves as arrays: the same for both environments.

``rows * columns`` actions are the squares in reading order: action ``a`` is the square in row ``a // columns`` and
column ``a % columns``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from noughts._noughts import Engine, Limit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from noughts.position import Position

_MOST_SQUARES_WITH_VALUES = 16
_NODES = 100_000
# More than all 5,478 positions of 3x3. A position takes less than a kilobyte.
_REMEMBERED = 1 << 14


def planes(position: Position, side: str) -> NDArray[np.int8]:
    """Return the stones as 0 and 1, shape ``(rows, columns, 2)``: plane 0 has those of ``side``, plane 1 the others."""
    cells = _cells(position).reshape(position.shape)
    return np.stack([cells == ord(side), cells == ord("o" if side == "x" else "x")], axis=-1).astype(np.int8)


def mask(position: Position) -> NDArray[np.int8]:
    """Return 1 for every empty square, also after the game, and 0 for the others; shape ``(rows * columns,)``."""
    empty: NDArray[np.int8] = (_cells(position) == ord(".")).astype(np.int8)
    return empty


def _cells(position: Position) -> NDArray[np.uint8]:
    return np.frombuffer(position.cells.encode(), np.uint8)


class Values:
    """The exact values of moves, from an engine of its own that starts with the first question."""

    def __init__(self, squares: int, nodes: int | None) -> None:
        """Take the squares of the board and a budget for each position, as for :class:`~noughts.envs.NoughtsEnv`.

        :raises ValueError: when ``nodes`` is negative.
        """
        if nodes is None:
            nodes = _NODES if squares <= _MOST_SQUARES_WITH_VALUES else 0
        self._arguments = squares, nodes
        self._limit = Limit(nodes=nodes) if nodes else None
        # Playouts prove nothing: one is the fewest. The order of the lines must not depend on random numbers.
        self._engine = Engine(player="perfect", trials=1, tiebreak="first")
        self._remembered: dict[Position, tuple[NDArray[np.float32], NDArray[np.int16]]] = {}

    def info(self, position: Position) -> dict[str, NDArray[Any]]:
        """Return new arrays ``values`` and ``plies`` for the side to move; nothing with a budget of 0."""
        if self._limit is None:
            return {}
        if position not in self._remembered:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[position] = self._ask(position)
        values, plies = self._remembered[position]
        return {"values": values.copy(), "plies": plies.copy()}

    def close(self) -> None:
        """End the engine."""
        self._engine.close()

    def _ask(self, position: Position) -> tuple[NDArray[np.float32], NDArray[np.int16]]:
        squares = len(position.cells)
        values, plies = np.full(squares, -np.inf, np.float32), np.zeros(squares, np.int16)
        for move, line in self._engine.analyse(position, self._limit, multipv=squares).moves.items():
            if line.proven:
                action = move.row * position.columns + move.column
                values[action], plies[action] = line.value, line.plies or 0
        return values, plies

    def __reduce__(self) -> tuple[type[Values], tuple[int, int]]:
        """Let copies of an environment have an engine of their own."""
        return Values, self._arguments
