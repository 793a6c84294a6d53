"""The JSON output of the program, as dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar

from .move import Move
from .position import Position, read_position
from .shape import Shaped, shape_of

Made = TypeVar("Made")


@dataclass(frozen=True, init=False)
class Rules(Shaped):
    """A game: the rows and columns of its board, how many in a row complete a line, and whether lines lose.

    ``connect`` 0 means as many as the shorter side has squares. The board is given as that of a :class:`Position`.
    """

    rows: int
    columns: int
    connect: int
    reverse: bool

    def __init__(
        self,
        size: int | None = None,
        connect: int = 0,
        reverse: bool = False,  # noqa: FBT001, FBT002, it can be passed by its place
        *,
        rows: int | None = None,
        columns: int | None = None,
    ) -> None:
        """Take the numbers."""
        rows, columns = shape_of(size, rows, columns)
        self.__dict__.update(rows=rows, columns=columns, connect=connect, reverse=reverse)

    @property
    def start(self) -> Position:
        """The empty board."""
        return Position(None, self.connect, self.reverse, rows=self.rows, columns=self.columns)

    def row(self) -> dict[str, Any]:
        """Return the rules as they stand in the JSON of the program: with ``size`` for a square."""
        return {**({"size": self.size} if self.rows == self.columns else {}), **vars(self)}


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


def made(kind: type[Made], said: dict[str, Any]) -> Made:
    """Make a dataclass of the keys that it knows. Later versions of the program may say more."""
    assert is_dataclass(kind)
    return kind(**{field.name: said[field.name] for field in fields(kind)})


def rules_of(said: dict[str, Any]) -> Rules:
    """Read the rules of a game. Older results have the size of a square alone."""
    rows, columns = (said.get(name, said.get("size")) for name in ("rows", "columns"))
    return Rules(None, said["connect"], said["reverse"], rows=rows, columns=columns)


def exam_of(said: dict[str, Any]) -> Exam:
    """Read an exam."""
    rules = rules_of(said["rules"])
    expected = {
        opponent: {side: made(Expected, figures) for side, figures in sides.items()}
        for opponent, sides in said.get("expected", {}).items()
    }
    return Exam(
        rules=rules,
        sample=said.get("sample"),
        all=made(Grade, said["all"]),
        x=made(Grade, said["x"]),
        o=made(Grade, said["o"]),
        stones=tuple(made(Grade, grade) for grade in said["stones"]),
        expected=expected or None,
        faults=tuple(_fault(rules, fault) for fault in said.get("list", [])),
    )


def _fault(rules: Rules, said: dict[str, Any]) -> Fault:
    position, _ = read_position(said["position"], rules.start)
    refutation = said.get("refutation")
    return Fault(
        position=position,
        move=said["move"],
        kind=said["kind"],
        times=said["times"],
        best=tuple(Move.parse(move) for move in said["best"]),
        value=said["value"],
        plies=said["plies"],
        value_after=said["value_after"],
        plies_after=said["plies_after"],
        refutation=read_position(refutation, rules.start)[1] if refutation else (),
        result=said.get("result"),
    )


def match_of(said: dict[str, Any], text: str) -> MatchResult:
    """Read a match of two players."""
    pairing = said["pairings"][0]
    first, second = pairing["engines"]
    return MatchResult(
        names=(first, second),
        rules=rules_of(said["rules"]),
        games=made(Games, pairing),
        x=made(Games, pairing["x"]),
        o=made(Games, pairing["o"]),
        score=made(Range, pairing["score_range"]),
        elo=made(Range, pairing["elo"]),
        los=pairing["los"],
        reasons=pairing["reasons"],
        json=said,
        text=text,
    )
