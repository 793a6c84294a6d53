"""Puzzles: positions of any board in which the exact value of every move is known.

Random games are played to a random number of moves, and the positions after them are kept that have what is asked::

    for puzzle in noughts.puzzles(size=4, connect=3, count=10, seed=1, kind="win", plies=(3, 5)):
        print(puzzle.position, puzzle.best)

``python -m noughts.puzzles`` prints puzzles as JSON, one a line.
"""

from __future__ import annotations

import json
import random
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from noughts._noughts import Engine, Limit, Position, Rules, exact_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from noughts.move import Move

__all__ = ["Puzzle", "puzzles"]

VALUES = {"win": (1,), "draw": (0,), "any": (-1, 0, 1)}
# Up to so many squares the value of every position comes from a table.
MOST_SQUARES_OF_TABLES = 16


@dataclass(frozen=True)
class Puzzle:
    """A position in which the value of every legal move is proven."""

    position: Position
    value: int
    """The result of best play for the side to move: 1 a win, 0 a draw, -1 a loss."""
    plies: int | None
    """Plies to the end of a win or a loss when the winner hurries and the loser delays; ``None`` for a draw."""
    best: tuple[Move, ...]
    """All moves that are best by value and distance, in reading order."""
    regrets: dict[Move, int] = field(hash=False)
    """What each legal move gives away of ``value``: 0 nothing, 1 a win or a draw by one step, 2 a win for a loss."""
    seed: int
    """The seed of the puzzles among which it was found."""

    def __post_init__(self) -> None:
        """Refuse moves that do not fit to the position."""
        if tuple(self.regrets) != self.position.moves or not self.best or any(self.regrets[move] for move in self.best):
            raise ValueError(f"expected moves of {self.position.text}, found regrets {self.regrets}, best {self.best}")

    @property
    def traps(self) -> tuple[Move, ...]:
        """The legal moves that give value away, in reading order."""
        return tuple(move for move, regret in self.regrets.items() if regret)

    def refutation(self, move: Iterable[int] | str) -> tuple[Move, ...]:
        """Return the line that punishes a move: this move, and best play of both sides to the end of the game.

        It is searched for with each call. It is empty for a move that gives nothing away.

        :raises IllegalMoveError: when the move is not legal.
        """
        line = [self.position.move(move)]
        if not self.regrets[line[0]]:
            return ()
        with Engine(player="perfect", tiebreak="first") as engine:
            # The proof of a draw may end before the game does. The limit is far above what any puzzle needs.
            while (after := self.position.play(*line)).outcome is None:
                line += engine.analyse(after, Limit(nodes=50_000_000)).pv
        return tuple(line)

    def to_json(self, *, refutations: bool = False) -> str:
        """Return the puzzle as a JSON object on one line, with the refutation of each trap if that is wished.

        ``docs/formats.md`` of Noughts has its keys.
        """
        board = self.position
        rules = Rules(None, board.connect, board.reverse, rows=board.rows, columns=board.columns)
        said: dict[str, Any] = {"rules": rules.row(), "position": board.text, "value": self.value, "plies": self.plies}
        said["best"] = [str(move) for move in self.best]
        said["regrets"] = {str(move): regret for move, regret in self.regrets.items()}
        if refutations:
            said["refutations"] = {str(trap): [str(move) for move in self.refutation(trap)] for trap in self.traps}
        return json.dumps({**said, "seed": self.seed}, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> Puzzle:
        """Read what :meth:`to_json` has written. Other keys are passed over, and values are not proven again.

        :raises ValueError: when the line is no puzzle. It says what is wrong.
        """
        try:
            said = json.loads(line)
            rules = said["rules"]
            position = Position.parse(said["position"], connect=rules["connect"], reverse=rules["reverse"])
            regrets = dict(sorted((position.move(move), regret) for move, regret in said["regrets"].items()))
            best = tuple(map(position.move, said["best"]))
            return cls(position, said["value"], said["plies"], best, regrets, said["seed"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"expected a puzzle as JSON, found {line[:80]!r} ({error!r}); it is not read") from error


def puzzles(
    size: int | None = None,
    connect: int = 0,
    *,
    count: int,
    seed: int,
    rows: int | None = None,
    columns: int | None = None,
    reverse: bool = False,
    kind: Literal["win", "draw", "any"] = "any",
    plies: tuple[int, int] | None = None,
    best: tuple[int, int] | None = None,
    traps: int = 1,
    nodes: int = 10_000,
    tries: int = 10_000,
) -> Iterator[Puzzle]:
    """Find ``count`` puzzles, no two of them the same up to symmetry.

    The board is given as that of a :class:`~noughts.Position`. The same arguments give the same puzzles on every
    machine. Boards of up to 16 squares need NumPy: their values come from :func:`~noughts.exact_values`. On larger ones
    those positions count in which the value and the distance of every legal move are proven within ``nodes`` positions.

    :param kind: ``"win"`` or ``"draw"`` with best play, for the side to move; ``"any"`` for losses as well.
    :param plies: the fewest and the most plies to the end of the game. Draws have none, and are left out.
    :param best: the fewest and the most moves that are best by value and distance.
    :param traps: the fewest legal moves that give value away. A lost position has none.
    :param tries: after so many positions in a row without another puzzle the search ends.

    :raises ValueError: when an argument is wrong, or when the search ends without any puzzle. A search that ends with
        fewer than ``count`` gives these, and a ``UserWarning``.
    """
    start = Position(size, connect, reverse, rows=rows, columns=columns)
    if kind not in VALUES:
        raise ValueError(f"kind: expected 'win', 'draw' or 'any', found {kind!r}; nothing is searched")
    drawn = _positions(start, seed, empty=max(1, traps, plies[0] if plies else 0))

    def search() -> Iterator[Puzzle]:
        seen: set[Position] = set()
        found = failed = 0
        prover = Engine(player="perfect")
        while found < count and failed < tries:
            failed, position = failed + 1, next(drawn)
            if position.outcome is not None or (same := position.canonical()) in seen:
                continue
            seen.add(same)
            puzzle = _solve(position, seed, prover, nodes)
            if puzzle is None or puzzle.value not in VALUES[kind] or len(puzzle.traps) < traps:
                continue
            if _within(puzzle.plies, plies) and _within(len(puzzle.best), best):
                found, failed = found + 1, 0
                yield puzzle
        if found < count:
            asked = f"{count} puzzles of {start.shape}, {connect=}, {reverse=}, {kind=}, {plies=}, {best=}, {traps=}"
            if not found:
                raise ValueError(f"expected {asked}, found none in {tries} tries; no puzzle is given")
            warnings.warn(f"expected {asked}, found {found}, then none in {tries} tries; these are given", stacklevel=2)

    return search()


def _within(number: int | None, limits: tuple[int, int] | None) -> bool:
    return limits is None or (number is not None and limits[0] <= number <= limits[1])


def _positions(start: Position, seed: int, empty: int) -> Iterator[Position]:
    """Draw positions of games that leave so many squares empty, or in which the game is over."""
    # Numbers from a text differ for each seed. The method random() keeps them in every version of Python.
    chance = random.Random(str(seed))  # noqa: S311
    # Few playouts are enough to see most threats, and to err.
    player = Engine(player="montecarlo", trials=4, seed=1 + int(chance.random() * (2**31 - 1)))
    while True:
        # The players of some games are purely random, those of others sensible, most are between.
        position, sensible = start, chance.random()
        for _ in range(int(chance.random() * max(1, start.rows * start.columns - empty + 1))):
            if position.outcome is None:
                choice = position.moves[int(chance.random() * len(position.moves))]
                position = position.play(player.play(position) if chance.random() < sensible else choice)
        yield position


def _solve(position: Position, seed: int, prover: Engine, nodes: int) -> Puzzle | None:
    """Return the position with the values of all its moves, or ``None`` if some are not proven."""
    moves = position.moves
    # A quick win ranks above a slow one, a slow loss above a quick one; draws have no distance.
    if position.rows * position.columns <= MOST_SQUARES_OF_TABLES:
        after = exact_values([position.play(move) for move in moves])
        ranks = [(-int(value), int(value * (plies + 1))) for value, plies in zip(after.value, after.plies, strict=True)]
    else:
        # What was proven before must not decide which positions can be proven within the nodes.
        prover.new_game()
        lines = prover.analyse(position, Limit(nodes=nodes), multipv=len(moves)).moves
        known = {move: line for move, line in lines.items() if line.proven and (line.plies or not line.value)}
        if len(known) < len(moves):
            return None
        ranks = [(int(known[move].value), -int(known[move].value) * (known[move].plies or 0)) for move in moves]
    value, rank = max(ranks)
    best = tuple(move for move, other in zip(moves, ranks, strict=True) if other == (value, rank))
    regrets = {move: value - result for move, (result, _) in zip(moves, ranks, strict=True)}
    return Puzzle(position, value, abs(rank) or None, best, regrets, seed)
