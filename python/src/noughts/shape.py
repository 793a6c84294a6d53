"""Shapes of boards: how many rows and columns."""

from __future__ import annotations

from typing import Any

_STANDARD = 3


class Shaped:
    """What has ``rows`` and ``columns``."""

    rows: int
    columns: int

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and the columns."""
        return self.rows, self.columns

    @property
    def size(self) -> int:
        """The rows of a square, which has as many columns.

        :raises AttributeError: when the board is not square.
        """
        if self.rows != self.columns:
            raise AttributeError(f"a board of {self.rows}x{self.columns} has no size: ask for rows and columns")
        return self.rows

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy, also one that an older version made of a square, with its size alone."""
        state = dict(state)
        size = state.pop("size", None)
        self.__dict__.update(state if size is None else {"rows": size, "columns": size, **state})


def shape_of(size: int | None, rows: int | None, columns: int | None) -> tuple[int, int]:
    """Return the rows and columns that arguments mean: ``size`` of a square, or both others; 3x3 without any.

    :raises ValueError: when there are too many or too few of them.
    """
    if rows is None and columns is None:
        size = _STANDARD if size is None else size
        return size, size
    if size is not None:
        raise ValueError(f"size {size} is that of a square; expected it alone, found rows {rows} and columns {columns}")
    if rows is None or columns is None:
        raise ValueError(f"expected rows and columns, or size for a square, found rows {rows} and columns {columns}")
    return rows, columns
