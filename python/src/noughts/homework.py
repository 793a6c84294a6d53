"""The board of the Monte Carlo assignment that many courses give, with the names that the assignment uses.

A solution that imports this module in place of the one handed out needs no other change::

    import noughts.homework as provided

    print(noughts.exam(mc_move))
    noughts.run_engine(mc_move)

:func:`noughts.exam`, :func:`noughts.match` and :func:`noughts.run_engine` take ``mc_move(board, player, trials)`` as it
is. ``docs/homework.md`` of Noughts has the rest.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import copy
from functools import cache, wraps
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from ._noughts import Engine, Position
from .move import Move

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import TypeIs

Mover: TypeAlias = Callable[["TTTBoard", int, int], Any]
"""``mc_move(board, player, trials)`` of the assignment, which returns ``(row, col)``."""

EMPTY, PLAYERX, PLAYERO, DRAW = 1, 2, 3, 4
_CHARACTERS = {EMPTY: ".", PLAYERX: "x", PLAYERO: "o"}
_PARAMETERS = 3
_TRIALS = 100
_LARGEST = 3


def switch_player(player: int) -> int:
    """Return the other player."""
    return PLAYERO if player == PLAYERX else PLAYERX


@cache
def _line_cells(dim: int, length: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each cell, the lines of ``length`` cells through it. A line longer than a side does not exist."""
    lines: list[list[tuple[int, ...]]] = [[] for _ in range(dim**2)]
    for row, column in product(range(dim), repeat=2):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if row + (length - 1) * down < dim and 0 <= column + (length - 1) * right < dim:
                line = tuple((row + step * down) * dim + column + step * right for step in range(length))
                for cell in line:
                    lines[cell].append(line)
    return tuple(map(tuple, lines))


class TTTBoard:
    """A board of ``dim`` rows, which moves change.

    ``board`` has a list for each row, of ``EMPTY``, ``PLAYERX`` and ``PLAYERO``; without it the board is empty. A line
    has ``dim`` squares, or ``connect`` squares if that is not 0. With ``reverse``, a player who completes a line loses.
    """

    def __init__(
        self,
        dim: int,
        reverse: bool = False,  # noqa: FBT001, FBT002, the assignment passes it by its place
        board: Sequence[Sequence[int]] | None = None,
        connect: int = 0,
    ) -> None:
        """Set the board up."""
        self._dim, self._reverse, self._connect = dim, reverse, connect
        self._cells = [square for row in board for square in row] if board else [EMPTY] * dim**2
        self._lines = _line_cells(dim, connect or dim)
        self._winner: int | None = None
        for cell in range(dim**2):
            self._judge(cell)

    def __str__(self) -> str:
        """Draw the board."""
        signs = {EMPTY: " ", PLAYERX: "X", PLAYERO: "O"}
        rows = [" | ".join(signs[self.square(row, column)] for column in range(self._dim)) for row in range(self._dim)]
        return ("\n" + "-" * (4 * self._dim - 3) + "\n").join(rows)

    def get_dim(self) -> int:
        """Return the number of rows."""
        return self._dim

    def square(self, row: int, col: int) -> int:
        """Return what is on a square: ``EMPTY``, ``PLAYERX`` or ``PLAYERO``."""
        return self._cells[self._cell(row, col)]

    def get_empty_squares(self) -> list[tuple[int, int]]:
        """Return ``(row, col)`` of every empty square."""
        return [divmod(cell, self._dim) for cell, square in enumerate(self._cells) if square == EMPTY]

    def move(self, row: int, col: int, player: int) -> None:
        """Put a stone of the player on a square. If the square is not empty, nothing happens."""
        cell = self._cell(row, col)
        if self._cells[cell] == EMPTY:
            self._cells[cell] = player
            self._judge(cell)

    def check_win(self) -> int | None:
        """Return ``PLAYERX``, ``PLAYERO`` or ``DRAW``; ``None`` while the game goes on."""
        return self._winner or (None if EMPTY in self._cells else DRAW)

    def clone(self) -> TTTBoard:
        """Return a copy of the board."""
        board = copy(self)
        board._cells = self._cells.copy()  # noqa: SLF001
        return board

    def position(self, player: int) -> Position:
        """Return the position with this player to move.

        :raises ValueError: when no game leads to the board with this player to move.
        """
        cells = "".join(_CHARACTERS[square] for square in self._cells)
        return Position(self._dim, self._connect, self._reverse, cells, _CHARACTERS[player])

    def _cell(self, row: int, col: int) -> int:
        if not (0 <= row < self._dim and 0 <= col < self._dim):
            raise IndexError(f"{row},{col} is off the {self._dim}x{self._dim} board")
        return row * self._dim + col

    def _judge(self, cell: int) -> None:
        """Note the winner if a line through the square is complete."""
        player, cells = self._cells[cell], self._cells
        if player != EMPTY and any(all(cells[other] == player for other in line) for line in self._lines[cell]):
            self._winner = switch_player(player) if self._reverse else player


def board_of(position: Position) -> tuple[TTTBoard, int]:
    """Return the board of a position, and the player to move.

    :raises ValueError: when the board is not square, as those of the assignment are.
    """
    if position.rows != position.columns:
        raise ValueError(f"boards of the assignment are square, not {position.rows}x{position.columns}")
    squares = {character: square for square, character in _CHARACTERS.items()}
    rows = [[squares[position[row, column]] for column in range(position.columns)] for row in range(position.rows)]
    return TTTBoard(position.rows, position.reverse, rows, position.connect), squares[position.side]


def is_mover(player: object) -> TypeIs[Mover]:
    """Return whether this is a function of three arguments, as ``mc_move`` of the assignment."""
    try:
        parameters = inspect.signature(player).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [each for each in parameters if each.kind in positional and each.default is each.empty]
    return len(needed) == _PARAMETERS


def agent(mc_move: Mover, trials: int | None = None) -> Callable[[Position], Any]:
    """Return the function of a position that plays as ``mc_move(board, player, trials)``.

    Without ``trials`` they are ``NTRIALS`` of the module in which the function is written, or 100.
    """
    number = trials or getattr(mc_move, "__globals__", {}).get("NTRIALS", _TRIALS)

    @wraps(mc_move)
    def play(position: Position) -> Any:
        return mc_move(*board_of(position), number)

    # It has other arguments than the function that it stands for.
    del play.__wrapped__
    return play


def play_game(mc_move: Mover, ntrials: int, reverse: bool = False) -> None:  # noqa: FBT001, FBT002, as above
    """Have the function play against itself on 3x3, and print the boards and the result."""
    board, player = TTTBoard(3, reverse), PLAYERX
    while board.check_win() is None:
        row, col = mc_move(board, player, ntrials)
        board.move(row, col, player)
        print(f"{board}\n")  # noqa: T201
        player = switch_player(player)
    result = {PLAYERX: "X wins", PLAYERO: "O wins", DRAW: "A draw"}
    print(result[board.check_win() or DRAW])  # noqa: T201


def expected_scores(
    board: TTTBoard, player: int, trials: int, score_current: float = 1.0, score_other: float = 1.0
) -> list[list[float]]:
    """Return what the scores of so many trials are on average, exactly, in the form of the assignment.

    The two numbers are ``SCORE_CURRENT`` and ``SCORE_OTHER``. Taken squares have 0.

    :raises ValueError: on boards above 3x3, where this is not known, and as :meth:`TTTBoard.position`.
    """
    position, dim = board.position(player), board.get_dim()
    if dim > _LARGEST:
        raise ValueError(f"expected scores are known up to {_LARGEST}x{_LARGEST}, not on {dim}x{dim}")
    with Engine(player="montecarlolimit", score_current=score_current, score_other=score_other) as engine:
        totals = engine.analyse(position, multipv=dim**2).totals
    return [[trials * totals.get(Move(row, column), 0.0) for column in range(dim)] for row in range(dim)]
