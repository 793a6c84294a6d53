"""The results of exams and matches, as dataclasses. The compiled module makes them of the JSON of the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._noughts import Rules

if TYPE_CHECKING:
    from ._noughts import Position
    from .move import Move

__all__ = ["Exam", "ExamResult", "Expected", "Fault", "Games", "Grade", "MatchResult", "Range", "Rules", "rules_of"]


@dataclass(frozen=True)
class Grade:
    """Answers of an exam, counted. ``docs/formats.md`` of Noughts has the meaning of each figure."""

    positions: int
    possible: int
    answers: int
    given_away: float
    rate: float | None
    rate_where_possible: float | None
    wins_missed: float
    draws_lost: float
    illegal: float
    wins_slower: float
    losses_quicker: float


@dataclass(frozen=True)
class Expected:
    """The results that can be expected in games from the empty board, out of 1."""

    win: float
    draw: float
    loss: float
    score: float


@dataclass(frozen=True)
class Fault:
    """An answer that gave value away, or made a win slower."""

    position: Position
    move: str
    """The answer, which may be no move at all."""
    kind: str
    """``win_missed``, ``draw_lost``, ``illegal`` or ``win_slower``."""
    times: float
    best: tuple[Move, ...]
    value: int
    plies: int | None
    value_after: int | None
    plies_after: int | None
    refutation: tuple[Move, ...]
    """The moves that show it, from the first move of the game to its end."""
    result: str | None
    """The end of that game: ``p1win`` (X), ``p2win`` (O) or ``draw``."""


@dataclass(frozen=True)
class Exam:
    """An exam in one game."""

    rules: Rules
    sample: dict[str, int] | None
    """``positions``, ``of`` and ``seed`` where positions were drawn; ``None`` where all were asked."""
    all: Grade
    x: Grade
    o: Grade
    stones: tuple[Grade, ...]
    """The answers with 0, 1, 2, ... stones on the board."""
    expected: dict[str, dict[str, Expected]] | None
    """Against ``perfect`` and ``random``, as ``x`` and as ``o``; ``None`` for a sample."""
    faults: tuple[Fault, ...]

    @property
    def blunder_rate(self) -> float:
        """The share of answers that gave value away, of those where a move could."""
        return self.all.rate_where_possible or 0.0

    @property
    def mistakes(self) -> tuple[Fault, ...]:
        """The faults that gave value away, without those that only made a win slower."""
        return tuple(fault for fault in self.faults if fault.kind != "win_slower")


@dataclass(frozen=True)
class ExamResult:
    """The result of ``noughts exam`` for a player. ``str`` of it is its table, without the list of faults."""

    name: str
    exams: tuple[Exam, ...]
    text: str
    """All that ``noughts exam --list`` prints."""

    @property
    def blunder_rate(self) -> float:
        """The share of answers that gave value away, of those where a move could, in all games together."""
        # Each position is asked equally often, so the shares count by their positions.
        possible = sum(exam.all.possible for exam in self.exams)
        return sum(exam.blunder_rate * exam.all.possible for exam in self.exams) / possible if possible else 0.0

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each group of answers, as ``pandas.DataFrame`` takes them."""
        groups = [
            (exam, name, grade)
            for exam in self.exams
            for name, grade in [
                ("all", exam.all),
                ("X", exam.x),
                ("O", exam.o),
                *((str(stones), grade) for stones, grade in enumerate(exam.stones)),
            ]
        ]
        return [{**exam.rules.row(), "group": name, **vars(grade)} for exam, name, grade in groups]

    def __str__(self) -> str:
        """Return the tables that the program prints."""
        blocks = self.text.split("\n\n")
        return "\n\n".join(block for block in blocks if not block.startswith("stones  side "))


@dataclass(frozen=True)
class Range:
    """A figure and its 95% interval; ``None`` means infinite."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Games:
    """Games, counted."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float | None
    """Points a game."""


@dataclass(frozen=True)
class MatchResult:
    """The result of ``noughts match`` for two players, seen by the first. ``str`` of it is its table."""

    names: tuple[str, str]
    rules: Rules
    games: Games
    x: Games
    """The games in which the first player is X."""
    o: Games
    score: Range
    elo: Range
    los: float | None
    """Likelihood of superiority, 0 to 1."""
    reasons: dict[str, int]
    """Games by the reason of their end."""
    json: dict[str, Any]
    """All that the program says: see ``docs/formats.md`` of Noughts."""
    text: str

    def __str__(self) -> str:
        """Return the table that the program prints."""
        return self.text


def rules_of(said: dict[str, Any]) -> Rules:
    """Read the rules of a game. Older results have the size of a square alone."""
    rows, columns = (said.get(name, said.get("size")) for name in ("rows", "columns"))
    return Rules(None, said["connect"], said["reverse"], rows=rows, columns=columns)
