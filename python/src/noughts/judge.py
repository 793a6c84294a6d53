"""Exams and matches of agents and engines. The program holds them and makes the statistics."""

from __future__ import annotations

from typing import Literal

from ._noughts import Limit
from .agents import Player, Stage
from .results import ExamResult, MatchResult, exam_of, match_of
from .shape import shape_of

# The program waits this much longer than the agents have time, so that a slow agent loses an answer and not the exam.
_MORE_SECONDS = 30.0


def exam(
    player: Player,
    *,
    rules: Literal["normal", "reverse", "both"] = "both",
    size: int | None = None,
    rows: int | None = None,
    columns: int | None = None,
    connect: int = 0,
    sample: int | Literal["all"] | None = None,
    repeat: int = 1,
    limit: Limit | None = None,
    seed: int | None = None,
    batch: int = 0,
    seconds: float = 10.0,
    name: str | None = None,
) -> ExamResult:
    """Ask a player every position of a board, or a sample, and say exactly how often it gives value away.

    ``size``, or ``rows`` and ``columns``, choose the board, as for :class:`~noughts.Position`. It has at most 16
    squares.

    ``player`` is a function of a :class:`~noughts.Position` that returns a move; or an :class:`~noughts.Engine`; or the
    words of an engine as for ``noughts exam --engine``. With ``batch``, a function gets a list of at most so many
    positions and returns as many moves. A function of three arguments is ``mc_move(board, player, trials)`` of
    :mod:`noughts.homework`, with ``NTRIALS`` of its module, or 100.

    An answer that is no legal move counts as a loss, and so does one that takes more than ``seconds``: then
    :class:`~noughts.AgentWarning` says that the thread of the function cannot be ended. An exception of the function
    ends the exam with :class:`~noughts.AgentError`.

    ``sample`` is a number of positions, or ``"all"``; without it all up to 9 squares and 2,000 above. ``repeat`` asks
    each position several times. ``seed`` is for the sample, and for engines.
    """
    arguments = ["exam", "--list", "--rules", rules, *_board(size, rows, columns), "--connect", str(connect)]
    arguments += ["--repeat", str(repeat), *_options(limit, seed, seconds)]
    if sample is not None:
        arguments += ["--sample", str(sample)]
    with Stage(seconds, batch) as stage:
        said, text = stage.run([*arguments, "--engine", stage.words(player, name)])
    return ExamResult(said["engine"]["name"], tuple(exam_of(exam) for exam in said["exams"]), text)


def match(
    first: Player,
    second: Player,
    *,
    games: int = 100,
    size: int | None = None,
    rows: int | None = None,
    columns: int | None = None,
    connect: int = 0,
    reverse: bool = False,
    openings: str = "startpos",
    limit: Limit | None = None,
    seed: int | None = None,
    seconds: float = 10.0,
    names: tuple[str | None, str | None] = (None, None),
) -> MatchResult:
    """Play a match between two players, each as in :func:`exam`, and say what the result means.

    ``size``, or ``rows`` and ``columns``, choose the board, as for :class:`~noughts.Position`.
    ``openings`` are ``startpos``, ``random:2`` (two random plies), ``all:K``, ``classes:K`` or a file: each is played
    with both colours. ``seed`` makes openings and engines the same every time.
    """
    arguments = ["match", "--games", str(games), *_board(size, rows, columns), "--connect", str(connect)]
    arguments += ["--openings", openings]
    arguments += ["--reverse"] if reverse else []
    with Stage(seconds, 0) as stage:
        players = [stage.words(first, names[0]), stage.words(second, names[1])]
        engines = [word for player in players for word in ("--engine", player)]
        said, text = stage.run([*arguments, *_options(limit, seed, seconds), *engines])
    return match_of(said, text)


def _board(size: int | None, rows: int | None, columns: int | None) -> list[str]:
    rows, columns = shape_of(size, rows, columns)
    return ["--size", str(rows) if rows == columns else f"{rows}x{columns}"]


def _options(limit: Limit | None, seed: int | None, seconds: float) -> list[str]:
    words = [f"--{name}={value}" for name, value in vars(limit or Limit()).items() if value is not None]
    words += [f"--patience={seconds + _MORE_SECONDS:.0f}"]
    return words if seed is None else [*words, f"--seed={seed}"]
