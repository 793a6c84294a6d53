"""Noughts: tic-tac-toe on any rectangular board, any number in a row, under normal and reverse rules.

from noughts import Engine, Position

with Engine() as engine:
    print(engine.play(Position()))
"""

import sysconfig

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
from .puzzles import Puzzle, puzzles
from .results import Exam, ExamResult, Fault, Grade, MatchResult

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
    "evaluate_policy",
    "exact_values",
    "exam",
    "match",
    "playouts",
    "positions",
    "puzzles",
    "run_engine",
    "statistics",
]
__version__ = "1.0.0"
