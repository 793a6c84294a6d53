"""Moves: squares of the board."""

from __future__ import annotations

import re
from typing import NamedTuple


class Move(NamedTuple):
    """A square: its row and its column, both from 0 at the top left."""

    row: int
    column: int

    def __str__(self) -> str:
        """Return the move as the engine writes it, such as ``0,2``."""
        return f"{self.row},{self.column}"

    def __repr__(self) -> str:
        """Return ``Move(0, 2)``: Python shows it within tuples, where ``0,2`` would look like two numbers."""
        return f"Move({self.row}, {self.column})"

    @classmethod
    def parse(cls, text: str, size: int = 3) -> Move:
        """Read ``0,2``, or ``c3``: a file from the left and a rank from the bottom of a board with ``size`` rows."""
        if numbers := re.fullmatch(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*", text):
            return cls(int(numbers[1]), int(numbers[2]))
        if named := re.fullmatch(r"\s*(?:P@)?([a-zA-Z])([0-9]{1,3})\s*", text):
            return cls(size - int(named[2]), ord(named[1].lower()) - ord("a"))
        raise ValueError(f"expected a move such as 0,2 or c3, found {text!r}")
