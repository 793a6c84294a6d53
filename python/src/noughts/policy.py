"""What a policy is worth: its expected scores, its exploitability, and how often it gives the result away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._noughts import Rules, policy_figures
from .results import Expected

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ._noughts import Position
    from .move import Move

    Int8 = NDArray[np.int8]
    Policy = Callable[[Int8, Int8], ArrayLike] | Mapping[Position, ArrayLike] | ArrayLike


@dataclass(frozen=True)
class WorstLine:
    """The game in which a best response takes the most from a policy."""

    side: str
    """The side that the policy plays, ``x`` or ``o``."""
    moves: tuple[Move, ...]
    """All moves of the game, from the empty board to the end."""
    probability: float
    """How likely the policy plays its moves of this game, if the opponent plays the others."""
    regret: int
    """The result of perfect play less the result of this game: 1 or 2."""


@dataclass(frozen=True)
class PolicyEvaluation:
    """What a policy is worth. ``str`` of it is a table. ``docs/python.md`` of Noughts explains the figures."""

    rules: Rules
    positions: int
    """The positions that count: all in which the game goes on, or those of the sample with proven values."""
    possible: int
    """Positions among them in which a move can give the result away."""
    blunder_rate: float
    """The probability of the moves that give the result away, from 0 to 1: the mean of those positions."""
    strongly_solved: float
    """The share of positions in which the policy plays only moves that keep the result, from 0 to 1."""
    perfect: float | None
    """The share of positions in which it plays only moves best by value and distance; ``None`` for a sample."""
    reached: int | None = None
    """Positions that the policy can reach and has to move in, as X and as O; ``None`` for a sample, as all below."""
    weakly_solved: float | None = None
    """The share of these in which the policy plays only moves that keep the result."""
    value: int | None = None
    """The result of perfect play for X: -1, 0 or 1."""
    expected: dict[str, dict[str, Expected]] | None = None
    """Against ``perfect`` and ``random``, as ``x``, as ``o``, and the mean of ``both``."""
    worst_result: dict[str, float] | None = None
    """The expected result against a best response, from -1 to 1, as ``x`` and as ``o``."""
    worst_line: WorstLine | None = None
    """``None`` also when the policy never loses anything to a best response."""
    sample: dict[str, int] | None = None
    """``positions`` drawn, ``proven`` of them within ``nodes``, and ``seed``; ``None`` where all positions count."""

    @property
    def nash_conv(self) -> float | None:
        """What best responses gain in both seats together, as in OpenSpiel: from 0 to 2."""
        return None if self.worst_result is None else 0.0 - sum(self.worst_result.values())

    @property
    def exploitability(self) -> float | None:
        """What a best response gains in a game, the mean of both seats, as in OpenSpiel: from 0 to 1."""
        return None if self.nash_conv is None else self.nash_conv / 2

    def __str__(self) -> str:
        """Return the figures as a table."""
        rows: list[tuple[str, str]] = [("positions", f"{self.positions:,}")]
        if self.sample:
            rows += [("sample", "{positions:,} drawn, {proven:,} proven, seed {seed}".format(**self.sample))]
        rows += [("blunder rate", f"{self.blunder_rate:.4f} of {self.possible:,} positions where it is possible")]
        rows += [("strongly solved", f"{self.strongly_solved:.4f}")]
        if self.perfect is not None:
            rows += [("perfect", f"{self.perfect:.4f}")]
            rows += [("weakly solved", f"{self.weakly_solved:.4f} of {self.reached:,} positions that it reaches")]
        for opponent, seats in (self.expected or {}).items():
            scores = ", ".join(f"{seats[seat].score:.5f} as {seat}" for seat in ("x", "o", "both"))
            rows += [(f"score, {opponent}", scores)]
        if self.worst_result is not None:
            worst = ", ".join(f"{result:.5f} as {seat}" for seat, result in self.worst_result.items())
            rows += [("exploitability", f"{self.exploitability:.5f}"), ("worst result", worst)]
        if self.worst_line:
            line = self.worst_line
            rows += [("worst line", f"{' '.join(map(str, line.moves))} as {line.side}, {line.probability:.4f}")]
        return "\n".join(f"{name:<16}{figure}" for name, figure in rows)


def evaluate_policy(
    policy: Policy,
    size: int | None = None,
    connect: int = 0,
    *,
    rows: int | None = None,
    columns: int | None = None,
    reverse: bool = False,
    sample: int | None = None,
    seed: int = 1,
    batch: int = 1 << 16,
    nodes: int = 10_000,
) -> PolicyEvaluation:
    """Say what a policy is worth: exactly, without any games, on boards of up to 16 squares.

    The board is given as that of a :class:`~noughts.Position`. ``policy`` is one of

    - a function of observations and masks that returns probabilities. Observations are int8 of the shape
      ``(n, rows, columns, 2)``: stones of the side to move in plane 0, of its opponent in plane 1. Masks are int8 of
      the shape ``(n, rows * columns)``: 1 for empty squares. Probabilities have the shape of the masks. ``n`` is at
      most ``batch``;
    - a table: an array of probabilities with a row for each position of :func:`noughts.positions`, in that order and
      without those in which the game is over;
    - a mapping from these positions to their probabilities.

    On larger boards, or with ``sample``, so many positions of random games are drawn (1,000), and those count in which
    the results of all moves are proven within ``nodes``. ``seed`` chooses them.

    :raises ValueError: when probabilities have another shape, are negative or NaN, do not add up to 1 within 0.0001, or
        stand on taken squares. It names the position.
    """
    board = Rules(size, connect, reverse, rows=rows, columns=columns)
    figures = policy_figures(policy, board.rows, board.columns, connect, reverse, sample, seed, batch, nodes)
    if "expected" in figures:
        odds = figures["expected"].items()
        figures["expected"] = {name: {seat: Expected(*all_) for seat, all_ in seats.items()} for name, seats in odds}
    if "worst_line" in figures:
        figures["worst_line"] = WorstLine(*figures["worst_line"])
    return PolicyEvaluation(board, **figures)
