"""The lines of the protocol: what is asked and what the answers mean. Nothing here reads or writes.

A conversation is a generator. It yields the text that the engine gets next, or ``None`` when it waits for a line, which
is sent into it. So :mod:`noughts.engine` and its asyncio twin hold the same conversations.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import index
from typing import TYPE_CHECKING, Any, TypeVar

from .drawing import label
from .move import Move

if TYPE_CHECKING:
    from .position import Position

Result = TypeVar("Result")
Conversation = Generator["str | None", str, Result]

# Positions that are asked together. The engine reads on while it writes, so neither side waits for the other.
_BLOCK = 500
# The answer to this question comes in order, so everything before it has been answered.
_IN_ORDER = "query p1turn\n"
_ERROR = "info string error: "
_NOTE = "info string "


class EngineError(Exception):
    """The engine has refused something, in its own words, or it has ended."""


class RefusedError(EngineError):
    """The engine has refused something, in its own words. The conversation goes on behind it."""


@dataclass(frozen=True)
class Limit:
    """The limits of a search; all of them apply. Without any, the engine's own budget: that of a plain ``go``.

    ``trials`` are playouts. ``movetime`` is in milliseconds. ``nodes`` are positions of a proof, and playouts.
    ``depth`` is in plies of a proof.
    """

    trials: int | None = None
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        """Refuse limits that the engine would refuse or pass over."""
        for name, value in vars(self).items():
            if value is None:
                continue
            try:
                number = 0 if isinstance(value, bool) else index(value)
            except TypeError:
                number = 0
            if number < 1:
                raise ValueError(f"{name} is a whole number from 1, not {value!r}")
            object.__setattr__(self, name, number)

    def __str__(self) -> str:
        """Return the words behind ``go``."""
        return "".join(f" {name} {value}" for name, value in vars(self).items() if value is not None)


@dataclass(frozen=True, slots=True)
class Line:
    """The result of a search for a move, or for the best one. A value that the engine does not send is ``None``."""

    move: Move | None = None
    """The move; ``None`` when the game is over."""
    value: float = 0.0
    """The expected result for the side to move, from -1 to 1: exactly -1, 0 or 1 when it is proven."""
    proven: bool = False
    """True if the value is proven."""
    plies: int | None = None
    """Of a proven win or loss: plies to the end when the winner hurries and the loser delays."""
    plies_at_most: int | None = None
    """Stands in place of ``plies`` where only this bound is proven."""
    wdl: tuple[int, int, int] | None = None
    """Playouts won, drawn and lost, per mille."""
    trials: int | None = None
    """Playouts."""
    total: float | None = None
    """The Monte Carlo score of the square."""
    nodes: int = 0
    """Positions of a proof, and playouts."""
    depth: int = 0
    """Plies looked ahead."""
    time: int = 0
    """Milliseconds."""
    pv: tuple[Move, ...] = ()
    """The move and the expected continuation."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer to a question: the best line, those of other moves if they were asked for, and the engine's notes."""

    best: Line
    lines: tuple[Line, ...] = ()
    """With ``multipv``: the lines of the best moves, best first."""
    notes: tuple[str, ...] = ()
    """The remarks of the engine for people."""

    @property
    def move(self) -> Move | None:
        """The best move."""
        return self.best.move

    @property
    def value(self) -> float:
        """The expected result for the side to move, from -1 to 1."""
        return self.best.value

    @property
    def proven(self) -> bool:
        """True if the value is proven."""
        return self.best.proven

    @property
    def plies(self) -> int | None:
        """Of a proven win or loss: plies to the end."""
        return self.best.plies

    @property
    def wdl(self) -> tuple[int, int, int] | None:
        """Playouts won, drawn and lost, per mille."""
        return self.best.wdl

    @property
    def pv(self) -> tuple[Move, ...]:
        """The expected continuation."""
        return self.best.pv

    @property
    def moves(self) -> dict[Move, Line]:
        """The lines by their moves, best first."""
        return {line.move: line for line in self.lines or (self.best,) if line.move is not None}

    @property
    def totals(self) -> dict[Move, float]:
        """The Monte Carlo scores of the squares, for the moves that have lines."""
        return {move: line.total for move, line in self.moves.items() if line.total is not None}

    def __str__(self) -> str:
        """Return a table of the lines, with the words of :meth:`noughts.Position.svg` for values, and the notes."""
        rows = [("move", "value", "line")]
        for line in self.lines or (self.best,):
            # Not every terminal has the sign.
            value = label(line).replace("≤", "<=")
            rows.append((str(line.move or "none"), value, " ".join(str(move) for move in line.pv)))
        table = (f"{move:<6}{value:<7}{pv}".rstrip() for move, value, pv in rows)
        return "\n".join([*table, *self.notes])


@dataclass(frozen=True)
class Option:
    """An option that the engine has declared."""

    name: str
    type: str
    default: str
    min: int | None = None
    max: int | None = None
    var: tuple[str, ...] = ()


def read_option(text: str) -> Option:
    """Read what follows ``option`` in the line that declares one."""
    keys = ("name", "type", "default", "min", "max", "var")
    found: dict[str, list[str]] = {}
    words: list[str] = []
    for word in text.split():
        if word in keys and (word == "var" or word not in found):
            words = found.setdefault(word, []) if word != "var" else found.setdefault("var", [])
        else:
            words.append(word)
    said = {key: " ".join(words) for key, words in found.items()}
    number = {key: int(said[key]) if key in said else None for key in ("min", "max")}
    name, kind, default = (said.get(key, "") for key in ("name", "type", "default"))
    return Option(name, kind, default, number["min"], number["max"], tuple(found.get("var", ())))


_MOVES = {f"{row},{column}": Move(row, column) for row in range(20) for column in range(20)}
_WHOLE = {"depth", "multipv", "plies", "plies_at_most", "trials", "nodes", "nps", "time"}


def read_line(text: str) -> tuple[int | None, Line]:
    """Read an ``info`` line: its rank if it is one of several, and what it says."""
    words = text.split()
    said: dict[str, Any] = {}
    place, end = 1, len(words)
    while place < end:
        key = words[place]
        if key == "pv":
            said["pv"] = tuple([_MOVES[word] for word in words[place + 1 :]])
            break
        if key in _WHOLE:
            said[key] = int(words[place + 1])
        elif key == "score":
            # The value says the same. A bound stands behind the score.
            place += 1 + (words[place + 3 : place + 4] in (["lowerbound"], ["upperbound"]))
        elif key in {"value", "total"}:
            said[key] = float(words[place + 1])
        elif key == "proven":
            said[key] = words[place + 1] == "true"
        elif key == "wdl":
            said[key] = (int(words[place + 1]), int(words[place + 2]), int(words[place + 3]))
            place += 2
        place += 2
    rank = said.pop("multipv", None)
    said.pop("nps", None)
    pv = said.get("pv")
    return rank, Line(move=pv[0] if pv else None, **said)


def declare(introduction: list[str], options: dict[str, Option]) -> Conversation[None]:
    """Hear what the engine says of itself."""
    line = yield "ugi\n"
    while True:
        line = yield None
        if line in ("ugiok", "uciok"):
            return
        if line.startswith("option "):
            option = read_option(line[7:])
            options[option.name] = option
        else:
            introduction.append(line)


def _complete(text: str) -> Conversation[list[str]]:
    """Say something, and hear all that is said until it has been carried out."""
    yield text + _IN_ORDER
    said = []
    while not (line := (yield None)).startswith("response"):
        said.append(line)
    return said


def refuse(said: Iterable[str]) -> None:
    """Raise the first error among the lines."""
    for line in said:
        if line.startswith(_ERROR):
            raise RefusedError(line[len(_ERROR) :])


def set_option(name: str, value: str) -> Conversation[None]:
    """Set an option."""
    refuse((yield from _complete(f"setoption name {name} value {value}\n")))


def new_game() -> Conversation[None]:
    """Have the engine forget what it has found out."""
    refuse((yield from _complete("newgame\n")))


def nothing() -> Conversation[None]:
    """Say nothing."""
    return
    yield


def rules_of(position: Position) -> tuple[tuple[str, str], ...]:
    """Return the options that choose the game of a position. ``columns`` is 0 on squares: as many as rows."""
    columns = 0 if position.columns == position.rows else position.columns
    reverse = "true" if position.reverse else "false"
    shape = ("size", str(position.rows)), ("columns", str(columns))
    return (*shape, ("connect", str(position.connect)), ("reverse", reverse))


def analyse(positions: Sequence[Position], limit: Limit) -> Conversation[list[Analysis]]:
    """Ask about positions of one game, many at a time. After a question that is refused no others are asked."""
    blocks = [positions[start : start + _BLOCK] for start in range(0, len(positions), _BLOCK)]
    found: list[Analysis] = []
    problems: list[str] = []
    asked = heard = 0
    while heard < len(blocks):
        # While the engine answers a block, the next one waits already.
        while asked < min(heard + 2, len(blocks)):
            yield "".join([f"position fen {position.text}\ngo{limit}\n" for position in blocks[asked]]) + _IN_ORDER
            asked += 1
        found += yield from _answers(problems)
        heard += 1
        if problems:
            blocks = blocks[:asked]
    refuse(problems)
    if len(found) != len(positions):
        raise EngineError(f"the engine gave {len(found)} answers to {len(positions)} questions")
    return found


def _answers(problems: list[str]) -> Conversation[list[Analysis]]:
    """Hear the answers to a block of questions. What was refused joins the problems."""
    answers: list[Analysis] = []
    best = Line()
    lines: list[Line] = []
    notes: list[str] = []
    while not (line := (yield None)).startswith("response"):
        if line.startswith("bestmove"):
            played = _MOVES.get(line[9:].partition(" ")[0])
            if played != best.move:
                best = replace(best, move=played)
            answers.append(Analysis(best, tuple(lines), tuple(notes)))
            best, lines, notes = Line(), [], []
        elif line.startswith(_ERROR):
            problems.append(line)
        elif line.startswith(_NOTE):
            notes.append(line[len(_NOTE) :])
        elif line.startswith("info "):
            try:
                rank, best = read_line(line)
            except (IndexError, KeyError, ValueError) as error:
                raise EngineError(f"the engine said what cannot be read: {line!r}") from error
            if rank == 1:
                lines = []
            if rank:
                lines.append(best)
    return answers
