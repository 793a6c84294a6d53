# The module that is compiled from `crates/python`.

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from .agents import Agent, Player
from .drawing import Valued
from .homework import Mover
from .move import Move
from .results import ExamResult, MatchResult

class EngineError(Exception): ...
class IllegalMoveError(ValueError): ...

@final
class Position:
    __match_args__: Final = ("size", "connect", "reverse", "cells", "side")
    rows: Final[int]
    columns: Final[int]
    shape: Final[tuple[int, int]]
    size: Final[int]
    connect: Final[int]
    reverse: Final[bool]
    cells: Final[str]
    side: Final[str]
    line_length: Final[int]
    text: Final[str]
    moves: Final[tuple[Move, ...]]
    empty: Final[tuple[Move, ...]]
    outcome: Final[str | None]
    line: Final[tuple[Move, ...]]
    def __new__(
        cls,
        size: int | None = None,
        connect: int = 0,
        reverse: bool = False,
        cells: str = "",
        side: str = "",
        *,
        rows: int | None = None,
        columns: int | None = None,
    ) -> Self: ...
    @staticmethod
    def parse(text: str, *, connect: int = 0, reverse: bool = False) -> Position: ...
    def __getitem__(self, square: tuple[int, int]) -> str: ...
    def __hash__(self) -> int: ...
    def move(self, move: Iterable[int] | str) -> Move: ...
    def play(self, *moves: Iterable[int] | str) -> Position: ...
    def replace(self, **changes: Any) -> Position: ...
    def symmetries(self) -> tuple[Position, ...]: ...
    def canonical(self) -> Position: ...
    def _repr_html_(self) -> str: ...
    def svg(self, values: Mapping[Move, Valued] | None = None, last: tuple[int, int] | None = None) -> str: ...

def positions(
    size: int | None = None,
    connect: int = 0,
    *,
    reverse: bool = False,
    rows: int | None = None,
    columns: int | None = None,
) -> Iterator[Position]: ...

@final
class Limit:
    trials: Final[int | None]
    movetime: Final[int | None]
    nodes: Final[int | None]
    depth: Final[int | None]
    def __new__(
        cls,
        trials: int | None = None,
        movetime: int | None = None,
        nodes: int | None = None,
        depth: int | None = None,
    ) -> Self: ...
    def __hash__(self) -> int: ...

@final
class Line:
    move: Final[Move | None]
    value: Final[float]
    proven: Final[bool]
    plies: Final[int | None]
    plies_at_most: Final[int | None]
    wdl: Final[tuple[int, int, int] | None]
    trials: Final[int | None]
    total: Final[float | None]
    nodes: Final[int]
    depth: Final[int]
    time: Final[int]
    pv: Final[tuple[Move, ...]]
    def __new__(cls, move: tuple[int, int] | None = None, *arguments: Any, **more: Any) -> Self: ...

@final
class Analysis:
    best: Final[Line]
    lines: Final[tuple[Line, ...]]
    notes: Final[tuple[str, ...]]
    move: Final[Move | None]
    value: Final[float]
    proven: Final[bool]
    plies: Final[int | None]
    wdl: Final[tuple[int, int, int] | None]
    pv: Final[tuple[Move, ...]]
    moves: Final[dict[Move, Line]]
    totals: Final[dict[Move, float]]
    def __new__(cls, best: Line, lines: Iterable[Line] = (), notes: Iterable[str] = ()) -> Self: ...

@final
class Option:
    name: Final[str]
    type: Final[str]
    default: Final[str]
    min: Final[int | None]
    max: Final[int | None]
    var: Final[list[str]]

class Engine:
    name: Final[str]
    options: Final[dict[str, Option]]
    def __new__(cls, **options: str | float) -> Self: ...
    def play(
        self, position: Position, limit: Limit | None = None, *, searchmoves: Iterable[Any] | None = None
    ) -> Move: ...
    def analyse(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        searchmoves: Iterable[Any] | None = None,
        on_info: Callable[[Analysis], object] | None = None,
    ) -> Analysis: ...
    def analyse_all(
        self, positions: Iterable[Position], limit: Limit | None = None, *, multipv: int = 1
    ) -> list[Analysis]: ...
    def stop(self) -> None: ...
    def configure(self, **options: str | float) -> None: ...
    def configured(self) -> dict[str, str]: ...
    def new_game(self) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

@final
class Statistics:
    games: Final[int]
    score: Final[float]
    score_interval: Final[tuple[float, float]]
    elo: Final[float]
    elo_interval: Final[tuple[float, float]]
    superiority: Final[float]
    llr: Final[float | None]
    verdict: Final[str | None]

def playouts(position: Position, trials: int, *, seed: int = 0, threads: int = 1) -> tuple[int, int, int]: ...
def statistics(
    wins: int = 0,
    draws: int = 0,
    losses: int = 0,
    *,
    pairs: tuple[int, int, int, int, int] | None = None,
    level: float = 0.95,
    sprt: tuple[float, float] | None = None,
) -> Statistics: ...

@final
class ExactValues:
    value: Final[NDArray[np.int8]]
    plies: Final[NDArray[np.int16]]
    proven: Final[NDArray[np.bool_]]
    best: Final[NDArray[np.bool_]]

def exact_values(positions: Iterable[Position], *, nodes: int = 100_000) -> ExactValues: ...

class AgentError(Exception): ...
class AgentWarning(UserWarning): ...

class AnswerSender:
    def __call__(self, question: Any, said: Any) -> bool: ...
    def fail(self, error: BaseException) -> None: ...

@final
class AgentDialogue:
    def __new__(cls, player: Agent | Mover) -> Self: ...
    def reply(self, line: str) -> str: ...
    def warnings(self) -> list[str]: ...

@final
class Rules:
    rows: Final[int]
    columns: Final[int]
    shape: Final[tuple[int, int]]
    size: Final[int]
    connect: Final[int]
    reverse: Final[bool]
    start: Final[Position]
    def __new__(
        cls,
        size: int | None = None,
        connect: int = 0,
        reverse: bool = False,
        *,
        rows: int | None = None,
        columns: int | None = None,
    ) -> Self: ...
    def __hash__(self) -> int: ...
    def row(self) -> dict[str, Any]: ...

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
) -> ExamResult: ...
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
) -> MatchResult: ...
def observe(position: Position, side: str) -> tuple[NDArray[np.int8], NDArray[np.int8]]: ...

@final
class Opponent:
    state: int
    def __new__(cls, start: Position, name: str, options: Mapping[str, Any], state: int = 0) -> Self: ...
    def answer(self, position: Position) -> Position: ...

@final
class Values:
    def __new__(cls, nodes: int | None) -> Self: ...
    def info(self, position: Position) -> dict[str, NDArray[Any]]: ...

@final
class BatchGames:
    buffers: Final[dict[str, NDArray[Any]]]
    def __new__(
        cls,
        num_envs: int,
        size: int | None = None,
        connect: int = 0,
        *,
        rows: int | None = None,
        columns: int | None = None,
        reverse: bool = False,
        opponent: str | None = "random",
        side: str = "x",
        seed: int | None = None,
        regret: bool = False,
        final_obs: bool = False,
        buffers: Mapping[str, NDArray[Any]] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Self: ...
    def reset(self, seed: int | None = None) -> None: ...
    def step(self, actions: NDArray[np.integer[Any]]) -> None: ...

def policy_figures(
    policy: object,
    rows: int,
    columns: int,
    connect: int,
    reverse: bool,
    sample: int | None,
    seed: int,
    batch: int,
    nodes: int,
) -> dict[str, Any]: ...
