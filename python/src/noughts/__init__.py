"""Noughts: tic-tac-toe on any rectangular board, any number in a row, under normal and reverse rules.

from noughts import Engine, Position

with Engine() as engine:
    print(engine.play(Position()))
"""

import sysconfig
from importlib import import_module
from typing import TYPE_CHECKING, Any

if sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise ImportError("noughts needs an interpreter with a global lock, and this one has none: use a usual build")

from ._noughts import (
    AgentError,
    AgentWarning,
    Analysis,
    BatchGames,
    Engine,
    EngineError,
    ExactValues,
    IllegalMoveError,
    Limit,
    Line,
    Option,
    Position,
    Rules,
    Statistics,
    exact_values,
    exam,
    match,
    playouts,
    positions,
    statistics,
)
from .agents import run_engine
from .engine import AsyncEngine
from .move import Move
from .policy import PolicyEvaluation, evaluate_policy
from .results import Exam, ExamResult, Fault, Grade, MatchResult

if TYPE_CHECKING:
    from .puzzles import Puzzle, puzzles
    from .tournament import Tournament, tournament

__all__ = [
    "AgentError",
    "AgentWarning",
    "Analysis",
    "AsyncEngine",
    "BatchGames",
    "Engine",
    "EngineError",
    "ExactValues",
    "Exam",
    "ExamResult",
    "Fault",
    "Grade",
    "IllegalMoveError",
    "Limit",
    "Line",
    "MatchResult",
    "Move",
    "Option",
    "PolicyEvaluation",
    "Position",
    "Puzzle",
    "Rules",
    "Statistics",
    "Tournament",
    "evaluate_policy",
    "exact_values",
    "exam",
    "match",
    "playouts",
    "positions",
    "puzzles",
    "run_engine",
    "statistics",
    "tournament",
]
__version__ = "1.0.0"

_LATER = {"Puzzle": "puzzles", "Tournament": "tournament"} | {name: name for name in ("puzzles", "tournament")}


def __getattr__(name: str) -> Any:
    """Import what needs more of Python's library when it is first asked for.

    A player whose file is called ``random.py`` may stand beside a program that imports this package.
    """
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f".{_LATER[name]}", __name__)
    # The module has the name of its function, which is the one that counts.
    globals().update({each: getattr(module, each) for each in module.__all__})
    return globals()[name]
