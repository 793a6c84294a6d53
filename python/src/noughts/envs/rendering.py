"""Pictures and texts of positions: the same for both environments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from noughts._noughts import Position

MODES = ["ansi", "rgb_array"]
# Half of a square in pixels. The first pixel of each side is the grid.
_HALF = 16
_COLOURS = np.array([[255, 255, 255], [255, 240, 170], [200, 200, 200], [30, 90, 160], [190, 60, 40]], np.uint8)
_BOARD, _LAST, _GRID, _X, _O = range(5)


def render(mode: str | None, position: Position, before: Position) -> Any:
    """Return the board as text or as a picture, or ``None``. ``before`` is the position before the last move."""
    if mode == "rgb_array":
        return picture(position, before)
    return str(position) if mode == "ansi" else None


def picture(position: Position, before: Position) -> NDArray[np.uint8]:
    """Return a picture, shape ``(32 * rows, 32 * columns, 3)``, 0 to 255. The square of the last move is yellow."""
    y, x = np.mgrid[-_HALF:_HALF, -_HALF:_HALF]
    is_cross = (np.minimum(abs(x - y), abs(x + y)) < 4) & (np.maximum(abs(x), abs(y)) < 11)  # noqa: PLR2004
    is_ring = abs(np.hypot(x, y) - 9) < 2  # noqa: PLR2004
    stones = {".": np.zeros_like(is_ring), "x": is_cross, "o": is_ring}
    squares = [
        np.select(
            [(x == -_HALF) | (y == -_HALF), stones[stone]],
            [_GRID, _X if stone == "x" else _O],
            _LAST if is_new else _BOARD,
        )
        for stone, is_new in zip(position.cells, map(str.__ne__, position.cells, before.cells), strict=True)
    ]
    tiles = np.array(squares).reshape(*position.shape, *x.shape).swapaxes(1, 2)
    image: NDArray[np.uint8] = _COLOURS[tiles.reshape(2 * _HALF * position.rows, -1)]
    return image
